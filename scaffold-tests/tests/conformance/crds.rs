//! CRDs from the sources and from rustc, compared as parsed documents without the annotation of controller-gen's version.

use std::{collections::BTreeMap, fs, sync::LazyLock};

use scaffold_tests::Cargo;
use serde_json::Value;
use similar::TextDiff;

use crate::{documents, goldens};

/// The build directory, prepared once.
static CARGO: LazyLock<Cargo> = LazyLock::new(|| Cargo::new().unwrap());

fn crds(arguments: &[&str]) -> BTreeMap<String, Value> {
    let project = CARGO.fixture("conformance").unwrap();
    CARGO.crds(&project, arguments).unwrap()
}

#[track_caller]
fn check(file: &str, arguments: &[&str]) {
    let Some(dir) = goldens() else { return };
    let text = fs::read_to_string(dir.join("crd").join(file)).unwrap();
    let mut expected = documents(&text).remove(0);
    let metadata = expected["metadata"].as_object_mut().unwrap();
    metadata.remove("annotations");
    let crds = crds(arguments);
    let found = crds
        .values()
        .find(|document| document["metadata"]["name"] == expected["metadata"]["name"]);
    let [expected, found] =
        [Some(&expected), found].map(|any| serde_json::to_string_pretty(&any).unwrap());
    assert!(
        expected == found,
        "{file} {arguments:?}\n{}",
        TextDiff::from_lines(&expected, &found).unified_diff()
    );
}

const FILES: [&str; 3] = [
    "bar.example.com_foos.yaml",
    "testdata.kubebuilder.io_externaldocs.yaml",
    "testdata.kubebuilder.io_jobs.yaml",
];

#[test]
fn crds_from_sources_equal_those_of_controller_gen() {
    for file in FILES {
        check(file, &[]);
    }
    check(
        "bar.example.com_foos_maxdesclen.yaml",
        &["--max-desc-len", "50"],
    );
}

#[test]
fn crds_from_rustc_equal_those_of_controller_gen() {
    for file in FILES {
        check(file, &["--build"]);
    }
    check(
        "bar.example.com_foos_maxdesclen.yaml",
        &["--build", "--max-desc-len", "50"],
    );
}
