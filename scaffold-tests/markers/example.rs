//! `example`: example value, which samples use.

use std::collections::BTreeMap;

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "ExampleCase")]
pub struct ExampleCaseSpec {
    /// String value.
    #[kb(example = "web")]
    pub name: String,
    /// List value.
    #[kb(example = ["a", "b"])]
    pub hosts: Vec<String>,
    /// Nested object.
    #[kb(example = {"app": "web"})]
    pub labels: BTreeMap<String, String>,
    /// Integer value.
    #[kb(example = 3)]
    pub replicas: i32,
}
