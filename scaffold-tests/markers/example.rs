//! `example`: a value that could stand there.

use std::collections::BTreeMap;

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "ExampleCase")]
pub struct ExampleCaseSpec {
    /// A text.
    #[kb(example = "web")]
    pub name: String,
    /// A list.
    #[kb(example = ["a", "b"])]
    pub hosts: Vec<String>,
    /// An object.
    #[kb(example = {"app": "web"})]
    pub labels: BTreeMap<String, String>,
    /// A number.
    #[kb(example = 3)]
    pub replicas: i32,
}
