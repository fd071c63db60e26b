// SPDX-License-Identifier: Apache-2.0

//! The Kubernetes API of odd-names: its kinds, and the CRDs that declare them to a cluster.

use kb::{CrdDefinition, CustomResourceDefinition};

pub mod v1;
// +kb:scaffold:modules

/// The kinds of this API, in all of their versions.
pub fn definitions() -> Vec<CrdDefinition> {
    vec![
        v1::Type::definition(),
        v1::Move::definition(),
        v1::Controller::definition(),
        v1::Condition::definition(),
        v1::Task::definition(),
        v1::Metric::definition(),
        v1::HTTPRoute2XX::definition(),
        v1::AKindWhoseNameIsSoLongThatLinesHaveToBeBroken::definition(),
        // +kb:scaffold:crds
    ]
}

/// The CRDs: one per kind.
pub fn crds() -> Vec<CustomResourceDefinition> {
    kb::crds(definitions())
}
