// SPDX-License-Identifier: Apache-2.0

//! Kubernetes API of image: custom resource types and their CRDs.

use kb::{CrdDefinition, CustomResourceDefinition};

pub mod v1alpha1;
// +kb:scaffold:modules

/// Returns the definitions of all kinds, in every version.
pub fn definitions() -> Vec<CrdDefinition> {
    vec![
        v1alpha1::Memcached::definition(),
        v1alpha1::Warmer::definition(),
        // +kb:scaffold:crds
    ]
}

/// Returns the CRDs, one per kind.
pub fn crds() -> Vec<CustomResourceDefinition> {
    kb::crds(definitions())
}
