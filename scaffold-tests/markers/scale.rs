//! `scale`: the scale subresource, said on its fields.

/// What is asked for.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "ScaleCase",
    status = ScaleCaseStatus
)]
pub struct ScaleCaseSpec {
    /// Wished.
    #[kb(scale(replicas))]
    pub replicas: i32,
}

/// What was seen.
#[kb::object]
pub struct ScaleCaseStatus {
    /// Counted.
    #[kb(scale(replicas))]
    pub replicas: i32,
    /// Which pods.
    #[kb(scale(selector))]
    pub selector: Option<String>,
}
