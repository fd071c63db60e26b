//! `scope`: whether objects live in namespaces.

/// What is asked for.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "ClusterCase",
    scope = Cluster
)]
pub struct ClusterCaseSpec {
    /// A text.
    pub text: String,
}
