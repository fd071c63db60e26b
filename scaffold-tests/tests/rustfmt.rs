//! Scaffolded Rust is formatted as rustfmt would, with arbitrary names.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::{collections::BTreeSet, path::Path, process::Command};

use proptest::{collection::vec, prelude::*};
use scaffold_tests::Project;

#[derive(Debug, Clone)]
struct Names {
    project: String,
    multigroup: bool,
    namespaced: bool,
    plural: String,
    image: String,
    command: String,
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
        "[a-z]{1,9}(/[a-z0-9-]{1,40}){0,3}:[0-9.]{1,9}",
        "[a-z]{1,30}(,[a-z=\"-]{1,90}){0,3}",
        vec(api, 1..6),
    )
        .prop_map(
            |(project, multigroup, namespaced, plural, image, command, apis)| Names {
                project,
                multigroup,
                namespaced,
                plural,
                image,
                command,
                apis,
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn scaffolded_code_is_formatted(names in names()) {
        let project = Project::empty();
        let flag = |name: &str, on| if on { format!(" --{name}") } else { String::new() };
        let init = format!(
            "init --domain example.com --project-name {}{}{}",
            names.project,
            flag("multigroup", names.multigroup),
            flag("namespaced", names.namespaced),
        );
        // Reserved names and collisions are rejected.
        prop_assume!(project.run(init.split_whitespace()).code == Some(0));
        let mut scaffolded: Vec<String> = Vec::new();
        let mut kinds = BTreeSet::new();
        for (group, version, kind) in &names.apis {
            let group = if names.multigroup { group } else { &names.apis[0].0 };
            if !kinds.insert((group, kind)) {
                continue;
            }
            // The first kind has a custom plural, the second deploys an image, and the others own the first.
            let owns = "--owns apps/v1/Deployment --owns core/v1/Service";
            let Names { plural, image, command, .. } = &names;
            let more = match scaffolded.len() {
                0 => format!("{owns} --plural {plural}"),
                1 => format!("--image {image} --image-container-port 80 --image-container-command {command}"),
                _ => format!("{owns} --owns {}", scaffolded[0]),
            };
            let api = format!("create api --group {group} --version {version} --kind {kind} {more}");
            if project.run(api.split_whitespace()).code == Some(0) {
                scaffolded.push(format!("{group}/{version}/{kind}"));
            }
        }
        prop_assume!(!scaffolded.is_empty());

        let tree = project.tree();
        let sources = tree.files().map(|(path, _)| path).filter(|path| Path::new(path).extension() == Some("rs".as_ref()));
        let output = Command::new("rustfmt")
            .args(["--check", "--edition", "2024"])
            .args(sources)
            .current_dir(project.root())
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
