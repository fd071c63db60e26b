//! `plural`, `singular`, `list_kind`, `short_names` and `categories`: what the kind is called.

/// What is asked for.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "Ox",
    plural = "oxen",
    singular = "ox",
    list_kind = "OxHerd",
    short_names = ["ox", "oxx"],
    categories = ["all", "farm"]
)]
pub struct OxSpec {
    /// A text.
    pub text: String,
}
