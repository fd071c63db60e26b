//! `pattern`: the regular expression that a string matches. It is compiled when your types are.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "PatternCase")]
pub struct PatternCaseSpec {
    /// Lower case.
    #[kb(pattern = "^[a-z]+$")]
    pub name: String,
    /// Its pattern has backslashes.
    #[kb(pattern = r"^\d+\.\d+$")]
    pub version: String,
}
