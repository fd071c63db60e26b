//! `scale` by paths, and without a status subresource.

/// What is asked for.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "ScaleWithoutStatusCase",
    status = ScaleWithoutStatusCaseStatus,
    status_subresource = false,
    scale(spec_replicas = ".spec.size", status_replicas = ".status.size")
)]
pub struct ScaleWithoutStatusCaseSpec {
    /// Wished.
    pub size: i32,
}

/// What was seen.
#[kb::object]
pub struct ScaleWithoutStatusCaseStatus {
    /// Counted.
    pub size: i32,
}
