//! `optional_spec`: an object without a spec is fine.

/// What is asked for.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "OptionalSpecCase",
    optional_spec
)]
pub struct OptionalSpecCaseSpec {
    /// A text.
    pub text: Option<String>,
}
