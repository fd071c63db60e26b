// SPDX-License-Identifier: Apache-2.0

//! API types of NetworkPolicy.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Run `make generate` after editing these types to update the CRD.

/// Desired state of NetworkPolicy.
#[kb::resource(
    group = "network.example.com",
    version = "v1",
    kind = "NetworkPolicy",
    status = NetworkPolicyStatus,
    column(name = "Ready", type = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    doc = "NetworkPolicy is the Schema for the networkpolicies API."
)]
pub struct NetworkPolicySpec {
    /// Example field of NetworkPolicy. Replace it with your own.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// Observed state of NetworkPolicy.
#[kb::object]
pub struct NetworkPolicyStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
