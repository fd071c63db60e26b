//! `embedded_resource`: complete Kubernetes object.

use kb::k8s_openapi::apimachinery::pkg::runtime::RawExtension;

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "EmbeddedResourceCase")]
pub struct EmbeddedResourceCaseSpec {
    /// Embedded manifest.
    #[kb(embedded_resource)]
    pub manifest: RawExtension,
}
