//! `pattern`: regular expression, validated at compile time.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "PatternCase")]
pub struct PatternCaseSpec {
    /// Lowercase letters.
    #[kb(pattern = "^[a-z]+$")]
    pub name: String,
    /// Pattern with backslashes.
    #[kb(pattern = r"^\d+\.\d+$")]
    pub version: String,
}
