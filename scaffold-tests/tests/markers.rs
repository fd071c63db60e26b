//! Each marker gives its YAML, by the sources and by rustc.
//!
//! `markers/NAME.rs` is a module with one kind, `markers/NAME.yaml` its CRD without what every CRD has. All of them are modules of
//! one crate, so that they are compiled at once.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use scaffold_tests::Cargo;
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("markers")
}

/// The modules by their names.
fn modules() -> BTreeMap<String, String> {
    fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// The kind that a module declares.
fn kind(source: &str) -> &str {
    let rest = source.split("kind = \"").nth(1).unwrap();
    rest.split('"').next().unwrap()
}

/// A project that has them all.
fn project(cargo: &Cargo, modules: &BTreeMap<String, String>) -> PathBuf {
    let project = cargo.scratch("markers", "markers").unwrap();
    let declared: Vec<String> = modules
        .keys()
        .map(|name| format!("pub mod {name};"))
        .collect();
    let listed: Vec<String> = modules
        .iter()
        .map(|(name, source)| format!("        {name}::{}::definition(),", kind(source)))
        .collect();
    let root = format!(
        "//! All markers.\n\n{}\n\n/// The kinds.\npub fn definitions() -> Vec<kb::CrdDefinition> {{\n    vec![\n{}\n    ]\n}}\n",
        declared.join("\n"),
        listed.join("\n")
    );
    fs::write(project.join("api/src/lib.rs"), root).unwrap();
    for (name, source) in modules {
        fs::write(project.join(format!("api/src/{name}.rs")), source).unwrap();
    }
    project
}

/// The CRDs by kind.
fn generated(cargo: &Cargo, project: &Path, arguments: &[&str]) -> BTreeMap<String, Value> {
    let kb_rs = env!("CARGO_BIN_EXE_kb-rs-under-test");
    let run = cargo.crds(kb_rs, project, arguments).unwrap();
    let (text, errors) = (run.stdout, run.stderr);
    let built = errors.contains("crdgen");
    assert_eq!(built, !arguments.is_empty(), "the wrong path: {errors}");
    let documents: Vec<Value> = serde_saphyr::from_multiple(&text).unwrap();
    let again: Vec<Value> = serde_yaml::Deserializer::from_str(&text)
        .map(|document| serde::Deserialize::deserialize(document).unwrap())
        .collect();
    assert_eq!(documents, again, "serde_yaml reads something else");
    documents
        .into_iter()
        .map(|document| {
            let kind = document["spec"]["names"]["kind"]
                .as_str()
                .unwrap()
                .to_owned();
            (kind, document)
        })
        .collect()
}

/// A CRD without what every CRD has.
fn essence(mut document: Value) -> String {
    let top = document.as_object_mut().unwrap();
    top.remove("apiVersion");
    top.remove("kind");
    for version in document["spec"]["versions"].as_array_mut().unwrap() {
        let properties = version["schema"]["openAPIV3Schema"]["properties"]
            .as_object_mut()
            .unwrap();
        for usual in ["apiVersion", "kind", "metadata"] {
            assert!(properties.remove(usual).is_some(), "{usual}");
        }
    }
    serde_saphyr::to_string(&document).unwrap()
}

#[test]
fn every_marker_gives_its_yaml_on_both_paths() {
    let modules = modules();
    let cargo = Cargo::new().unwrap();
    let project = project(&cargo, &modules);
    let read = generated(&cargo, &project, &[]);
    let built = generated(&cargo, &project, &["--build"]);
    let update = env::var_os("UPDATE_GOLDENS").is_some();

    let mut differences = Vec::new();
    for (name, source) in &modules {
        let kind = kind(source);
        let read = essence(read[kind].clone());
        let built = essence(built[kind].clone());
        let file = folder().join(format!("{name}.yaml"));
        if update {
            fs::write(&file, &read).unwrap();
        }
        let wanted = fs::read_to_string(&file).unwrap_or_default();
        for (path, made) in [("the sources", &read), ("rustc", &built)] {
            if *made != wanted {
                let diff = similar::TextDiff::from_lines(&wanted, made);
                differences.push(format!("{name}, by {path}:\n{}", diff.unified_diff()));
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{}\nIf this is what you want, run `make goldens` and commit the result.",
        differences.join("\n")
    );
}
