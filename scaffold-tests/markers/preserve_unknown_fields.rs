//! `preserve_unknown_fields`: the API server keeps what the schema does not know.

/// What is asked for.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "PreserveUnknownFieldsCase"
)]
pub struct PreserveUnknownFieldsCaseSpec {
    /// An object with more than is said.
    #[kb(preserve_unknown_fields)]
    pub open: Open,
    /// Any JSON value.
    pub any: kb::serde_json::Value,
}

/// Partly known.
#[kb::object]
pub struct Open {
    /// Known.
    pub name: String,
}
