// SPDX-License-Identifier: Apache-2.0

//! What the deployment controller reconciles.

use kube::Resource as _;

use k8s_openapi::api::apps::v1::Deployment;

/// The operator's role in config/rbac is written for these names.
#[test]
fn the_role_names_the_reconciled_resource() {
    assert_eq!(Deployment::group(&()), "apps");
    assert_eq!(Deployment::version(&()), "v1");
    assert_eq!(Deployment::plural(&()), "deployments");
}
