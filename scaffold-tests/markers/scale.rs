//! `scale`: scale subresource, by markers on its fields.

/// Desired state.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "ScaleCase",
    status = ScaleCaseStatus
)]
pub struct ScaleCaseSpec {
    /// Desired replicas.
    #[kb(scale(replicas))]
    pub replicas: i32,
}

/// Observed state.
#[kb::object]
pub struct ScaleCaseStatus {
    /// Observed replicas.
    #[kb(scale(replicas))]
    pub replicas: i32,
    /// Label selector.
    #[kb(scale(selector))]
    pub selector: Option<String>,
}
