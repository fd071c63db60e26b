// SPDX-License-Identifier: Apache-2.0

//! The Kubernetes API of multi-group: its kinds, and the CRDs that declare them to a cluster.

use kb::{CrdDefinition, CustomResourceDefinition};

pub mod batch;
pub mod network;
// +kb:scaffold:modules

/// The kinds of this API, in all of their versions.
pub fn definitions() -> Vec<CrdDefinition> {
    vec![
        batch::v1alpha1::AppService::definition(),
        batch::v1::AppService::definition(),
        network::v1::NetworkPolicy::definition(),
        batch::v1::Batch::definition(),
        // +kb:scaffold:crds
    ]
}

/// The CRDs: one per kind.
pub fn crds() -> Vec<CustomResourceDefinition> {
    kb::crds(definitions())
}
