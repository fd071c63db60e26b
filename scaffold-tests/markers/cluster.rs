//! `scope`: namespaced or cluster-scoped.

/// Desired state.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "ClusterCase",
    scope = Cluster
)]
pub struct ClusterCaseSpec {
    /// String value.
    pub text: String,
}
