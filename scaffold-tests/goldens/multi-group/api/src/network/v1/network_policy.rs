// SPDX-License-Identifier: Apache-2.0

//! The NetworkPolicy kind.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Edit these types, then run `make generate` to write the CRD.

/// What a NetworkPolicy asks for.
#[kb::resource(
    group = "network.example.com",
    version = "v1",
    kind = "NetworkPolicy",
    status = NetworkPolicyStatus,
    doc = "NetworkPolicy is the schema of the networkpolicies API."
)]
pub struct NetworkPolicySpec {
    /// An example: replace it with what a NetworkPolicy needs.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// What the controller saw last.
#[kb::object]
pub struct NetworkPolicyStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// The latest observations, one per type.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
