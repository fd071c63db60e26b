//! Doc comments become descriptions.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "DescriptionsCase")]
pub struct DescriptionsCaseSpec {
    /// The first line,
    /// and the second.
    ///
    /// A paragraph.
    /// TODO: this line is for developers.
    pub text: String,
    /// Said by the field.
    pub described: Described,
    pub by_type: Described,
    /// Seen.
    /// ---
    /// Not seen.
    pub cut: String,
}

/// Said by the type.
#[kb::object]
pub struct Described {
    /// A text.
    pub text: String,
}
