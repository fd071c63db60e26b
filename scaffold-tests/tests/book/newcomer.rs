//! A newcomer follows the pages literally, and ends with an object that was reconciled.
//!
//! The pages say what is printed at the end, and that is compared: a page whose last commands show something else fails.

use crate::{page, walk};

#[test]
fn the_quick_start_ends_with_a_reconciled_object() {
    let page = page::read("quick-start.md");
    assert!(
        page.contains("condition met"),
        "the page shows that the object is ready"
    );
    walk::follow("quick-start.md");
}

#[test]
fn getting_started_ends_with_a_reconciled_object() {
    walk::follow("getting-started.md");
}

#[test]
fn the_first_controller_works_as_its_tutorial_says() {
    walk::follow("tutorials/foo.md");
}

#[test]
fn change_after_creation_works_as_its_tutorial_says() {
    walk::follow("tutorials/appservice.md");
}

#[test]
fn ordered_parts_work_as_their_tutorial_says() {
    walk::follow("tutorials/cloudmanager.md");
}
