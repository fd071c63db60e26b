// SPDX-License-Identifier: Apache-2.0

//! What the widget controller reconciles.

use kube::Resource as _;

use widgets_api::v1::Widget;

/// The operator's role in config/rbac is written for these names.
#[test]
fn the_role_names_the_reconciled_resource() {
    assert_eq!(Widget::group(&()), "factory.example.org");
    assert_eq!(Widget::version(&()), "v1");
    assert_eq!(Widget::plural(&()), "widgets");
}
