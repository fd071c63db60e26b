// SPDX-License-Identifier: Apache-2.0

//! API types of Controller.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Run `make generate` after editing these types to update the CRD.

/// Desired state of Controller.
#[kb::resource(
    group = "odd.k8s.io",
    version = "v1",
    kind = "Controller",
    annotations("api-approved.kubernetes.io" = "unapproved, experimental-only"),
    status = ControllerStatus,
    column(name = "Ready", type = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    doc = "Controller is the Schema for the controllers API."
)]
pub struct ControllerSpec {
    /// Example field of Controller. Replace it with your own.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// Observed state of Controller.
#[kb::object]
pub struct ControllerStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
