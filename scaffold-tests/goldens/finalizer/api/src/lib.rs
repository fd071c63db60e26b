// SPDX-License-Identifier: Apache-2.0

//! Kubernetes API of finalizer: custom resource types and their CRDs.

use kb::{CrdDefinition, CustomResourceDefinition};

pub mod v1;
// +kb:scaffold:modules

/// Returns the definitions of all kinds, in every version.
pub fn definitions() -> Vec<CrdDefinition> {
    vec![
        v1::Account::definition(),
        v1::Branch::definition(),
        // +kb:scaffold:crds
    ]
}

/// Returns the CRDs, one per kind.
pub fn crds() -> Vec<CustomResourceDefinition> {
    kb::crds(definitions())
}
