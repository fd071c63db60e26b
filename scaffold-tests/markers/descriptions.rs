//! Doc comments become descriptions.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "DescriptionsCase")]
pub struct DescriptionsCaseSpec {
    /// First line,
    /// second line.
    ///
    /// Second paragraph.
    /// TODO: excluded from the description.
    pub text: String,
    /// Description of the field.
    pub described: Described,
    pub by_type: Described,
    /// Included.
    /// ---
    /// Excluded.
    pub cut: String,
}

/// Description of the type.
#[kb::object]
pub struct Described {
    /// String value.
    pub text: String,
}
