//! `scale` by JSON paths, without a status subresource.

/// Desired state.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "ScaleWithoutStatusCase",
    status = ScaleWithoutStatusCaseStatus,
    status_subresource = false,
    scale(spec_replicas = ".spec.size", status_replicas = ".status.size")
)]
pub struct ScaleWithoutStatusCaseSpec {
    /// Desired replicas.
    pub size: i32,
}

/// Observed state.
#[kb::object]
pub struct ScaleWithoutStatusCaseStatus {
    /// Observed replicas.
    pub size: i32,
}
