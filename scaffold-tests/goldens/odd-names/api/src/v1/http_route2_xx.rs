// SPDX-License-Identifier: Apache-2.0

//! The HTTPRoute2XX kind.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Edit these types, then run `make generate` to write the CRD.

/// What a HTTPRoute2XX asks for.
#[kb::resource(
    group = "odd.k8s.io",
    version = "v1",
    kind = "HTTPRoute2XX",
    annotations("api-approved.kubernetes.io" = "unapproved, experimental-only"),
    status = HTTPRoute2XXStatus,
    doc = "HTTPRoute2XX is the schema of the httproute2xxes API."
)]
pub struct HTTPRoute2XXSpec {
    /// An example: replace it with what a HTTPRoute2XX needs.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// What the controller saw last.
#[kb::object]
pub struct HTTPRoute2XXStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// The latest observations, one per type.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
