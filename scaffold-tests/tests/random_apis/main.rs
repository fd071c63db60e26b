//! Random APIs: what the sources say is what rustc says.
//!
//! All of them are modules of one crate, so that they are compiled at once. `PROPTEST_RNG_SEED` pins what is made;
//! `KB_RANDOM_APIS` says how many.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

mod fields;
mod maker;
mod module;

use std::{collections::BTreeMap, env, fs, path::Path};

use proptest::test_runner::{Config, TestRng, TestRunner};
use scaffold_tests::Cargo;
use serde_json::Value;
use similar::TextDiff;

use module::Module;

fn write(project: &Path, path: &str, text: &str) {
    let path = project.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    if fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return;
    }
    fs::write(path, text).unwrap();
}

/// A project whose API crate has these modules.
fn make(project: &Path, modules: &[Module]) {
    let declared: Vec<String> = modules
        .iter()
        .map(|module| format!("pub mod {};", module.name))
        .collect();
    let listed: Vec<String> = modules
        .iter()
        .map(|module| format!("        {}::{}::definition(),", module.name, module.kind))
        .collect();
    let root = format!(
        "//! Random kinds.\n\n{}\n\n/// The kinds.\npub fn definitions() -> Vec<kb::CrdDefinition> {{\n    vec![\n{}\n    ]\n}}\n",
        declared.join("\n"),
        listed.join("\n")
    );
    write(project, "api/src/lib.rs", &root);
    for module in modules {
        for (path, text) in &module.files {
            write(project, &format!("api/src/{path}"), text);
        }
    }
}

fn generated(cargo: &Cargo, project: &Path, arguments: &[&str]) -> BTreeMap<String, Value> {
    let kb_rs = env!("CARGO_BIN_EXE_kb-rs-under-test");
    let run = cargo.crds(kb_rs, project, arguments).unwrap();
    let (text, errors) = (run.stdout, run.stderr);
    assert!(
        !arguments.is_empty() || !errors.contains("crdgen"),
        "the sources did not do: {errors}"
    );
    let documents: Vec<Value> = serde_saphyr::from_multiple(&text).unwrap();
    let name = |document: &Value| {
        document["spec"]["names"]["kind"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    documents
        .into_iter()
        .map(|document| (name(&document), document))
        .collect()
}

#[test]
fn the_sources_say_what_rustc_says_of_random_apis() {
    let count = env::var("KB_RANDOM_APIS").map_or(48, |count| count.parse().unwrap());
    let mut runner = TestRunner::new(Config::default());
    let rng: &mut TestRng = runner.rng();
    let modules: Vec<Module> = (0..count)
        .map(|number| Module::random(number, rng))
        .collect();

    let cargo = Cargo::new().unwrap();
    let project = cargo.scratch("random-apis", "random").unwrap();
    make(&project, &modules);
    let read = generated(&cargo, &project, &[]);
    let built = generated(&cargo, &project, &["--build"]);

    assert_eq!(read.len(), count);
    for module in &modules {
        let [read, built] = [&read, &built]
            .map(|documents| serde_json::to_string_pretty(&documents[&module.kind]).unwrap());
        let sources: Vec<&str> = module.files.iter().map(|(_, text)| text.as_str()).collect();
        assert!(
            read == built,
            "the sources (-) and rustc (+) differ:\n{}\n{}",
            TextDiff::from_lines(&read, &built).unified_diff(),
            sources.join("\n")
        );
    }
}
