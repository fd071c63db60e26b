//! `no_spec`: puts the fields next to metadata.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "Quota", no_spec)]
pub struct QuotaSpec {
    /// String value.
    pub text: String,
    /// Integer value.
    pub number: Option<i32>,
}
