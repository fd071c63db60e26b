// SPDX-License-Identifier: Apache-2.0

//! API types of Type.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Run `make generate` after editing these types to update the CRD.

/// Desired state of Type.
#[kb::resource(
    group = "odd.k8s.io",
    version = "v1",
    kind = "Type",
    annotations("api-approved.kubernetes.io" = "unapproved, experimental-only"),
    status = TypeStatus,
    column(name = "Ready", type = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    doc = "Type is the Schema for the types API."
)]
pub struct TypeSpec {
    /// Example field of Type. Replace it with your own.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// Observed state of Type.
#[kb::object]
pub struct TypeStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
