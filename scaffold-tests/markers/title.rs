//! `title`: title of the schema.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "TitleCase")]
pub struct TitleCaseSpec {
    /// Name.
    #[kb(title = "Display name")]
    pub name: String,
    /// Title of the type.
    pub text: Titled,
}

/// String with a title.
#[kb::object]
#[kb(title = "Text")]
pub struct Titled(pub String);
