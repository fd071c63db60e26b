// SPDX-License-Identifier: MIT

//! What the restore-check controller reconciles.

use kube::Resource as _;

use two_apis_api::v1::Backup;

/// The operator's role in config/rbac is written for these names.
#[test]
fn the_role_names_the_reconciled_resource() {
    assert_eq!(Backup::group(&()), "fleet.example.com");
    assert_eq!(Backup::version(&()), "v1");
    assert_eq!(Backup::plural(&()), "backups");
}
