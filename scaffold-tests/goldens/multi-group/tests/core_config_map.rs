// SPDX-License-Identifier: Apache-2.0

//! What the core-configmap controller reconciles.

use kube::Resource as _;

use k8s_openapi::api::core::v1::ConfigMap;

/// The operator's role in config/rbac is written for these names.
#[test]
fn the_role_names_the_reconciled_resource() {
    assert_eq!(ConfigMap::group(&()), "");
    assert_eq!(ConfigMap::version(&()), "v1");
    assert_eq!(ConfigMap::plural(&()), "configmaps");
}
