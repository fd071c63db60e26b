//! Names are those of serde.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "SerdeNamesCase")]
pub struct SerdeNamesCaseSpec {
    /// Renamed.
    #[serde(rename = "apiURL")]
    pub api_url: String,
    /// A keyword.
    pub r#type: String,
    /// Left out.
    #[serde(skip)]
    pub cache: i32,
    /// Flattened.
    #[serde(flatten)]
    pub inner: Inner,
    /// As written.
    pub kebab: Kebab,
}

/// Inside.
#[kb::object]
pub struct Inner {
    /// A text.
    pub inner_text: String,
}

/// In kebab case.
#[kb::object]
#[serde(rename_all = "kebab-case")]
pub struct Kebab {
    /// A text.
    pub some_text: String,
}
