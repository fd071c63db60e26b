//! `int_or_string`: integer or string. Implied by the type `IntOrString`.

use kb::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "IntOrStringCase")]
pub struct IntOrStringCaseSpec {
    /// Port number or name.
    pub port: IntOrString,
    /// Pattern for strings.
    #[kb(pattern = "^[0-9]+%$")]
    pub surge: Option<IntOrString>,
    /// Type with custom deserialization.
    #[kb(schemaless, int_or_string, max_length = 10)]
    pub other: kb::serde_json::Value,
}
