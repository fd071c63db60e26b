//! `no_spec`: the fields stand beside metadata.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "Quota", no_spec)]
pub struct QuotaSpec {
    /// A text.
    pub text: String,
    /// A number.
    pub number: Option<i32>,
}
