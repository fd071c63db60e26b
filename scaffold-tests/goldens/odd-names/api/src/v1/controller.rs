// SPDX-License-Identifier: Apache-2.0

//! The Controller kind.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Edit these types, then run `make generate` to write the CRD.

/// What a Controller asks for.
#[kb::resource(
    group = "odd.k8s.io",
    version = "v1",
    kind = "Controller",
    annotations("api-approved.kubernetes.io" = "unapproved, experimental-only"),
    status = ControllerStatus,
    doc = "Controller is the schema of the controllers API."
)]
pub struct ControllerSpec {
    /// An example: replace it with what a Controller needs.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// What the controller saw last.
#[kb::object]
pub struct ControllerStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// The latest observations, one per type.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
