// SPDX-License-Identifier: Apache-2.0

//! API types of Platform.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Run `make generate` after editing these types to update the CRD.

/// Desired state of Platform.
#[kb::resource(
    group = "batch.example.com",
    version = "v1alpha1",
    kind = "Platform",
    scope = Cluster,
    status = PlatformStatus,
    column(name = "Ready", type = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    doc = "Platform is the Schema for the platforms API."
)]
pub struct PlatformSpec {
    /// Example field of Platform. Replace it with your own.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// Observed state of Platform.
#[kb::object]
pub struct PlatformStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
