// SPDX-License-Identifier: Apache-2.0

//! API types of Warmer.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Run `make generate` after editing these types to update the CRD.

/// Desired state of Warmer.
#[kb::resource(
    group = "cache.example.com",
    version = "v1alpha1",
    kind = "Warmer",
    status = WarmerStatus,
    column(name = "Ready", type = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    doc = "Warmer is the Schema for the warmers API."
)]
pub struct WarmerSpec {
    /// Container image.
    #[kb(
        default = "registry.example.com/cache/warmer:1.0",
        min_length = 1,
        column
    )]
    pub image: String,
    /// Number of pods.
    #[kb(default = 1, minimum = 0, column)]
    pub size: i32,
}

/// Observed state of Warmer.
#[kb::object]
pub struct WarmerStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
