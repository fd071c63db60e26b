// SPDX-License-Identifier: MIT

//! The Cluster kind.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Edit these types, then run `make generate` to write the CRD.

/// What a Cluster asks for.
#[kb::resource(
    group = "fleet.example.com",
    version = "v1",
    kind = "Cluster",
    scope = Cluster,
    status = ClusterStatus,
    doc = "Cluster is the schema of the clusters API."
)]
pub struct ClusterSpec {
    /// An example: replace it with what a Cluster needs.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// What the controller saw last.
#[kb::object]
pub struct ClusterStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// The latest observations, one per type.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
