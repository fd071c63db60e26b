//! `min_length` and `max_length`: how many characters a string has.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "LengthCase")]
pub struct LengthCaseSpec {
    /// A short name.
    #[kb(min_length = 1, max_length = 63)]
    pub name: String,
    /// As long as its type allows.
    pub code: Code,
    /// Its type's and its own length.
    #[kb(max_length = 4)]
    pub short_code: Code,
}

/// Some letters.
#[kb::object]
#[kb(min_length = 2, max_length = 8)]
pub struct Code(pub String);
