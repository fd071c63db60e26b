//! `external_docs`: where more is written.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "ExternalDocsCase")]
pub struct ExternalDocsCaseSpec {
    /// A field.
    #[kb(external_docs(url = "https://example.com/docs", description = "The manual"))]
    pub name: String,
}
