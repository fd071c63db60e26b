// SPDX-License-Identifier: Apache-2.0

//! Kubernetes API of multi-group: custom resource types and their CRDs.

use kb::{CrdDefinition, CustomResourceDefinition};

pub mod batch;
pub mod network;
// +kb:scaffold:modules

/// Returns the definitions of all kinds, in every version.
pub fn definitions() -> Vec<CrdDefinition> {
    vec![
        batch::v1alpha1::AppService::definition(),
        batch::v1::AppService::definition(),
        network::v1::NetworkPolicy::definition(),
        batch::v1::Batch::definition(),
        // +kb:scaffold:crds
    ]
}

/// Returns the CRDs, one per kind.
pub fn crds() -> Vec<CustomResourceDefinition> {
    kb::crds(definitions())
}
