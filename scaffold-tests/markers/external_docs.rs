//! `external_docs`: link to further documentation.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "ExternalDocsCase")]
pub struct ExternalDocsCaseSpec {
    /// Field with external documentation.
    #[kb(external_docs(url = "https://example.com/docs", description = "The manual"))]
    pub name: String,
}
