//! Kubernetes API of namespaced: custom resource types and their CRDs.

use kb::{CrdDefinition, CustomResourceDefinition};

pub mod v1alpha1;
// +kb:scaffold:modules

/// Returns the definitions of all kinds, in every version.
pub fn definitions() -> Vec<CrdDefinition> {
    vec![
        v1alpha1::AppService::definition(),
        // +kb:scaffold:crds
    ]
}

/// Returns the CRDs, one per kind.
pub fn crds() -> Vec<CustomResourceDefinition> {
    kb::crds(definitions())
}
