//! `required` and `optional`: override the presence of a field.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "RequiredOptionalCase")]
pub struct RequiredOptionalCaseSpec {
    /// Required option.
    #[kb(required)]
    pub name: Option<String>,
    /// Optional list, omitted if empty.
    #[kb(optional)]
    pub hosts: Vec<String>,
    /// Optional because of the serde attribute.
    #[serde(default)]
    pub count: i32,
    /// Required by default.
    pub plain: i32,
}
