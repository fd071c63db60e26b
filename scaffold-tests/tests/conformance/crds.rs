//! The CRDs, on both paths. They are compared as parsed documents, without the annotation that names controller-gen's version.

use std::{fs, path::Path, sync::LazyLock};

use scaffold_tests::Cargo;
use serde_json::Value;
use similar::TextDiff;

use crate::{documents, goldens};

/// The folder for builds, written once: the tests run at the same time.
static CARGO: LazyLock<Cargo> = LazyLock::new(|| Cargo::new().unwrap());

/// What kb-rs makes of the types, by one of its paths.
fn generated(arguments: &[&str]) -> Vec<Value> {
    let cargo = &*CARGO;
    let project = cargo.fixture("conformance").unwrap();
    let kb_rs = env!("CARGO_BIN_EXE_kb-rs-under-test");
    documents(&cargo.crds(kb_rs, &project, arguments).unwrap().stdout)
}

fn golden(folder: &Path, name: &str) -> Value {
    let text = fs::read_to_string(folder.join("crd").join(name)).unwrap();
    let mut document = documents(&text).remove(0);
    let metadata = document["metadata"].as_object_mut().unwrap();
    metadata.remove("annotations");
    document
}

#[track_caller]
fn check(file: &str, arguments: &[&str]) {
    let Some(folder) = goldens() else { return };
    let wanted = golden(&folder, file);
    let made = generated(arguments);
    let found = made
        .iter()
        .find(|document| document["metadata"]["name"] == wanted["metadata"]["name"]);
    let [wanted, found] =
        [Some(&wanted), found].map(|any| serde_json::to_string_pretty(&any).unwrap());
    assert!(
        wanted == found,
        "{file} {arguments:?}\n{}",
        TextDiff::from_lines(&wanted, &found).unified_diff()
    );
}

const FILES: [&str; 3] = [
    "bar.example.com_foos.yaml",
    "testdata.kubebuilder.io_externaldocs.yaml",
    "testdata.kubebuilder.io_jobs.yaml",
];

#[test]
fn the_sources_give_what_controller_gen_gives() {
    for file in FILES {
        check(file, &[]);
    }
    check(
        "bar.example.com_foos_maxdesclen.yaml",
        &["--max-desc-len", "50"],
    );
}

#[test]
fn rustc_gives_what_controller_gen_gives() {
    for file in FILES {
        check(file, &["--build"]);
    }
    check(
        "bar.example.com_foos_maxdesclen.yaml",
        &["--build", "--max-desc-len", "50"],
    );
}
