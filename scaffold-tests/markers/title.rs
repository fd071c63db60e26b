//! `title`: a heading for forms.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "TitleCase")]
pub struct TitleCaseSpec {
    /// The name.
    #[kb(title = "Display name")]
    pub name: String,
    /// The type's title.
    pub text: Titled,
}

/// A text.
#[kb::object]
#[kb(title = "Text")]
pub struct Titled(pub String);
