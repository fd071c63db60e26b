//! Follows the quick start and the tutorials literally and compares their output.

use crate::walk;

#[test]
fn quick_start_works() {
    walk::follow("quick-start.md");
}

#[test]
fn getting_started_works() {
    walk::follow("getting-started.md");
}

#[test]
fn tutorial_foo_works() {
    walk::follow("tutorials/foo.md");
}

#[test]
fn tutorial_appservice_works() {
    walk::follow("tutorials/appservice.md");
}

#[test]
fn tutorial_cloudmanager_works() {
    walk::follow("tutorials/cloudmanager.md");
}
