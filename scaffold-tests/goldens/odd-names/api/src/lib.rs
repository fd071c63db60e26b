// SPDX-License-Identifier: Apache-2.0

//! Kubernetes API of odd-names: custom resource types and their CRDs.

use kb::{CrdDefinition, CustomResourceDefinition};

pub mod v1;
// +kb:scaffold:modules

/// Returns the definitions of all kinds, in every version.
pub fn definitions() -> Vec<CrdDefinition> {
    vec![
        v1::Type::definition(),
        v1::Move::definition(),
        v1::Controller::definition(),
        v1::Condition::definition(),
        v1::Task::definition(),
        v1::Metric::definition(),
        v1::HTTPRoute2XX::definition(),
        v1::Foo::definition(),
        v1::AKindWhoseNameIsSoLongThatLinesHaveToBeBroken::definition(),
        // +kb:scaffold:crds
    ]
}

/// Returns the CRDs, one per kind.
pub fn crds() -> Vec<CustomResourceDefinition> {
    kb::crds(definitions())
}
