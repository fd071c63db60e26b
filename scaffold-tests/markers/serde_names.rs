//! Names follow serde.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "SerdeNamesCase")]
pub struct SerdeNamesCaseSpec {
    /// Renamed field.
    #[serde(rename = "apiURL")]
    pub api_url: String,
    /// Rust keyword.
    pub r#type: String,
    /// Skipped field.
    #[serde(skip)]
    pub cache: i32,
    /// Flattened object.
    #[serde(flatten)]
    pub inner: Inner,
    /// Enum.
    pub kebab: Kebab,
}

/// Flattened fields.
#[kb::object]
pub struct Inner {
    /// String value.
    pub inner_text: String,
}

/// Enum in kebab case.
#[kb::object]
#[serde(rename_all = "kebab-case")]
pub struct Kebab {
    /// String value.
    pub some_text: String,
}
