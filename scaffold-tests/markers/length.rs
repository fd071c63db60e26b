//! `min_length` and `max_length`: number of characters of a string.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "LengthCase")]
pub struct LengthCaseSpec {
    /// Short name.
    #[kb(min_length = 1, max_length = 63)]
    pub name: String,
    /// Limited by its type.
    pub code: Code,
    /// Limited by its type and by the field.
    #[kb(max_length = 4)]
    pub short_code: Code,
}

/// Short string.
#[kb::object]
#[kb(min_length = 2, max_length = 8)]
pub struct Code(pub String);
