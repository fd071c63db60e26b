//! `preserve_unknown_fields`: keeps fields that the schema does not specify.

/// Desired state.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "PreserveUnknownFieldsCase"
)]
pub struct PreserveUnknownFieldsCaseSpec {
    /// Object with additional fields.
    #[kb(preserve_unknown_fields)]
    pub open: Open,
    /// Arbitrary JSON.
    pub any: kb::serde_json::Value,
}

/// Partially specified object.
#[kb::object]
pub struct Open {
    /// Specified field.
    pub name: String,
}
