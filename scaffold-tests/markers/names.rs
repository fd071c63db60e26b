//! `plural`, `singular`, `list_kind`, `short_names` and `categories`: names of the kind.

/// Desired state.
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
    /// String value.
    pub text: String,
}
