//! `embedded_resource`: a whole object of Kubernetes.

use kb::k8s_openapi::apimachinery::pkg::runtime::RawExtension;

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "EmbeddedResourceCase")]
pub struct EmbeddedResourceCaseSpec {
    /// A manifest.
    #[kb(embedded_resource)]
    pub manifest: RawExtension,
}
