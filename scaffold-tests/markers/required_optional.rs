//! `required` and `optional`: whether a field has to be there.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "RequiredOptionalCase")]
pub struct RequiredOptionalCaseSpec {
    /// An option that has to be there.
    #[kb(required)]
    pub name: Option<String>,
    /// A list that need not be there, and is left out when it is empty.
    #[kb(optional)]
    pub hosts: Vec<String>,
    /// So does serde say it.
    #[serde(default)]
    pub count: i32,
    /// Required.
    pub plain: i32,
}
