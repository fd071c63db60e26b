//! `optional_spec`: allows objects without a spec.

/// Desired state.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "OptionalSpecCase",
    optional_spec
)]
pub struct OptionalSpecCaseSpec {
    /// String value.
    pub text: Option<String>,
}
