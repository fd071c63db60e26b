//! The Kubernetes API of namespaced: its kinds, and the CRDs that declare them to a cluster.

use kb::{CrdDefinition, CustomResourceDefinition};

pub mod v1alpha1;
// +kb:scaffold:modules

/// The kinds of this API, in all of their versions.
pub fn definitions() -> Vec<CrdDefinition> {
    vec![
        v1alpha1::AppService::definition(),
        // +kb:scaffold:crds
    ]
}

/// The CRDs: one per kind.
pub fn crds() -> Vec<CustomResourceDefinition> {
    kb::crds(definitions())
}
