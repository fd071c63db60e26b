// SPDX-License-Identifier: Apache-2.0

//! API types of HTTPRoute2XX.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Run `make generate` after editing these types to update the CRD.

/// Desired state of HTTPRoute2XX.
#[kb::resource(
    group = "odd.k8s.io",
    version = "v1",
    kind = "HTTPRoute2XX",
    annotations("api-approved.kubernetes.io" = "unapproved, experimental-only"),
    status = HTTPRoute2XXStatus,
    column(name = "Ready", type = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    doc = "HTTPRoute2XX is the Schema for the httproute2xxes API."
)]
pub struct HTTPRoute2XXSpec {
    /// Example field of HTTPRoute2XX. Replace it with your own.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// Observed state of HTTPRoute2XX.
#[kb::object]
pub struct HTTPRoute2XXStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
