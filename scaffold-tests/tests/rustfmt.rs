//! Whatever the names, generated Rust is what rustfmt would write: lines are broken and lists are sorted as it does.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{collections::BTreeSet, path::Path, process::Command};

use proptest::{collection::vec, prelude::*};
use scaffold_tests::{KbRs, Tree};

fn kb_rs() -> KbRs {
    KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test"))
}

#[derive(Debug, Clone)]
struct Names {
    project: String,
    multigroup: bool,
    namespaced: bool,
    plural: String,
    apis: Vec<(String, String, String)>,
}

fn names() -> impl Strategy<Value = Names> {
    let kind = "[A-Z][a-z0-9]{1,8}([A-Z][a-z0-9]{0,7}){0,4}";
    let version = "v[1-9][0-9]?((alpha|beta)[1-9][0-9]?)?";
    let api = ("[a-z]{2,8}(-[a-z0-9]{1,6})?", version, kind);
    (
        "[a-z]{3,9}(-[a-z]{2,8}){0,3}",
        any::<bool>(),
        any::<bool>(),
        "[a-z]{2,9}(-[a-z]{1,9}){0,3}",
        vec(api, 1..6),
    )
        .prop_map(|(project, multigroup, namespaced, plural, apis)| Names {
            project,
            multigroup,
            namespaced,
            plural,
            apis,
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn generated_code_is_formatted(names in names()) {
        let folder = tempfile::tempdir().unwrap();
        let flag = |name: &str, on| if on { format!(" --{name}") } else { String::new() };
        let init = format!(
            "init --domain example.com --project-name {}{}{}",
            names.project,
            flag("multigroup", names.multigroup),
            flag("namespaced", names.namespaced),
        );
        // A project may be refused for its name, and an API for names that collide; what is made must be formatted.
        prop_assume!(kb_rs().run(folder.path(), init.split_whitespace()).code == Some(0));
        let mut made: Vec<String> = Vec::new();
        let mut kinds = BTreeSet::new();
        for (group, version, kind) in &names.apis {
            let group = if names.multigroup { group } else { &names.apis[0].0 };
            if !kinds.insert((group, kind)) {
                continue;
            }
            // The first kind has a plural of its own; the others own it.
            let more = match made.first() {
                None => format!("--plural {}", names.plural),
                Some(first) => format!("--owns {first}"),
            };
            let api = format!(
                "create api --group {group} --version {version} --kind {kind} --owns apps/v1/Deployment --owns core/v1/Service {more}"
            );
            if kb_rs().run(folder.path(), api.split_whitespace()).code == Some(0) {
                made.push(format!("{group}/{version}/{kind}"));
            }
        }
        prop_assume!(!made.is_empty());

        let tree = Tree::read(folder.path()).unwrap();
        let sources = tree.files().map(|(path, _)| path).filter(|path| Path::new(path).extension() == Some("rs".as_ref()));
        let output = Command::new("rustfmt")
            .args(["--check", "--edition", "2024"])
            .args(sources)
            .current_dir(folder.path())
            .output()
            .unwrap();
        prop_assert!(
            output.status.success(),
            "{init}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
