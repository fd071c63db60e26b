//! `format`: format that the API server validates.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "FormatCase")]
pub struct FormatCaseSpec {
    /// IP address.
    #[kb(format = "email")]
    pub owner: String,
    /// URI.
    #[kb(format = "uri")]
    pub url: Option<String>,
    /// Overrides the format of the type.
    #[kb(format = "int64")]
    pub count: i32,
}
