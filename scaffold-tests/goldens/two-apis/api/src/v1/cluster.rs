// SPDX-License-Identifier: MIT

//! API types of Cluster.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Run `make generate` after editing these types to update the CRD.

/// Desired state of Cluster.
#[kb::resource(
    group = "fleet.example.com",
    version = "v1",
    kind = "Cluster",
    scope = Cluster,
    status = ClusterStatus,
    column(name = "Ready", type = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    doc = "Cluster is the Schema for the clusters API."
)]
pub struct ClusterSpec {
    /// Example field of Cluster. Replace it with your own.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// Observed state of Cluster.
#[kb::object]
pub struct ClusterStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
