//! `annotations` and `labels` of the CRD.

/// Desired state.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "Annotated",
    annotations("example.com/team" = "storage", "example.com/on" = "yes"),
    labels("app" = "web")
)]
pub struct AnnotatedSpec {
    /// String value.
    pub text: String,
}
