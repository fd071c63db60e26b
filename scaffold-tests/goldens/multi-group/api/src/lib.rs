// SPDX-License-Identifier: Apache-2.0

//! The Kubernetes API of multi-group: its kinds, and the CRDs that declare them to a cluster.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt;

pub mod batch;
pub mod network;
// +kb:scaffold:modules

/// The CRDs: one per kind, with all of its versions.
pub fn crds() -> Vec<CustomResourceDefinition> {
    let mut crds: Vec<CustomResourceDefinition> = Vec::new();
    for crd in [
        batch::v1alpha1::AppService::crd(),
        batch::v1::AppService::crd(),
        network::v1::NetworkPolicy::crd(),
        batch::v1::Batch::crd(),
        // +kb:scaffold:crds
    ] {
        match crds
            .iter_mut()
            .find(|known| known.metadata.name == crd.metadata.name)
        {
            Some(known) => known.spec.versions.extend(crd.spec.versions),
            None => crds.push(crd),
        }
    }
    crds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_stores_exactly_one_version() {
        for crd in crds() {
            let stored = crd.spec.versions.iter().filter(|version| version.storage);
            assert_eq!(stored.count(), 1, "{:?}", crd.metadata.name);
        }
    }
}
