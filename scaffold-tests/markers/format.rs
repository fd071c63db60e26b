//! `format`: a form that the API server knows.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "FormatCase")]
pub struct FormatCaseSpec {
    /// An address.
    #[kb(format = "email")]
    pub owner: String,
    /// A resource.
    #[kb(format = "uri")]
    pub url: Option<String>,
    /// A number that has a format by its type can have another one.
    #[kb(format = "int64")]
    pub count: i32,
}
