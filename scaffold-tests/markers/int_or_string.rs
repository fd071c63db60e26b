//! `int_or_string`: a number or a text. The type `IntOrString` says it by itself.

use kb::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "IntOrStringCase")]
pub struct IntOrStringCaseSpec {
    /// A port by its number or name.
    pub port: IntOrString,
    /// With a pattern for texts.
    #[kb(pattern = "^[0-9]+%$")]
    pub surge: Option<IntOrString>,
    /// A type that is read by hand.
    #[kb(schemaless, int_or_string, max_length = 10)]
    pub other: kb::serde_json::Value,
}
