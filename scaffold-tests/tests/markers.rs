//! Each marker produces its YAML, from the sources and from rustc.
//!
//! `markers/NAME.rs` is a module with one kind, `markers/NAME.yaml` its CRD without the fields that all CRDs have. One crate contains all
//! modules, and is compiled once.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{env, fs, path::Path};

use scaffold_tests::{Cargo, Tree, api_crate};
use serde_json::Value;

/// Returns the kind of a module.
fn kind(source: &str) -> &str {
    let rest = source.split("kind = \"").nth(1).unwrap();
    rest.split('"').next().unwrap()
}

/// Removes the fields that all CRDs have.
fn normalized(document: &Value) -> String {
    let mut document = document.clone();
    let top = document.as_object_mut().unwrap();
    top.remove("apiVersion");
    top.remove("kind");
    for version in document["spec"]["versions"].as_array_mut().unwrap() {
        let properties = version["schema"]["openAPIV3Schema"]["properties"]
            .as_object_mut()
            .unwrap();
        for field in ["apiVersion", "kind", "metadata"] {
            assert!(properties.remove(field).is_some(), "{field}");
        }
    }
    serde_saphyr::to_string(&document).unwrap()
}

#[test]
fn markers_produce_their_yaml_from_sources_and_from_rustc() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("markers");
    let files = Tree::read(&dir).unwrap();
    let modules: Vec<(&str, &str)> = files
        .files()
        .filter_map(|(path, source)| Some((path.strip_suffix(".rs")?, source)))
        .collect();
    let kinds = modules.iter().map(|(name, source)| (*name, kind(source)));
    let root = ("lib.rs".to_owned(), api_crate(kinds));
    let sources = modules.iter();
    let sources = sources.map(|(name, source)| (format!("{name}.rs"), (*source).to_owned()));
    let sources: Vec<_> = sources.chain([root]).collect();
    let cargo = Cargo::new().unwrap();
    let project = cargo.scratch("markers", &sources).unwrap();
    let paths = [("sources", &[][..]), ("rustc", &["--build"])]
        .map(|(path, arguments)| (path, cargo.crds(&project, arguments).unwrap()));
    let update = env::var_os("UPDATE_GOLDENS").is_some();

    let mut differences = Vec::new();
    for (name, source) in modules {
        let crds = paths
            .each_ref()
            .map(|(_, crds)| normalized(&crds[kind(source)]));
        let file = dir.join(format!("{name}.yaml"));
        if update {
            fs::write(&file, &crds[0]).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        for ((path, _), crd) in paths.iter().zip(crds) {
            if crd != expected {
                let diff = similar::TextDiff::from_lines(&expected, &crd);
                differences.push(format!("{name} from {path}:\n{}", diff.unified_diff()));
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{}\nIf this is intended, run `make goldens` and commit the result.",
        differences.join("\n")
    );
}
