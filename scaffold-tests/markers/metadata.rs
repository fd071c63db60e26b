//! `annotations` and `labels` of the CRD.

/// What is asked for.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "Annotated",
    annotations("example.com/team" = "storage", "example.com/on" = "yes"),
    labels("app" = "web")
)]
pub struct AnnotatedSpec {
    /// A text.
    pub text: String,
}
