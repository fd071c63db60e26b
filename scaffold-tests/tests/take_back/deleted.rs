//! `delete api`: the opposite of `create api`.

use std::fs;

use scaffold_tests::Scenario;

use crate::{API, append, assert_same, kb_rs, project, replace, tree};

/// The call that takes back a `create api`.
fn opposite(create: &str) -> String {
    let words: Vec<&str> = create.split_whitespace().collect();
    let value = |flag: &str| {
        let position = words.iter().position(|word| *word == flag)?;
        Some(format!(" {flag} {}", words[position + 1]))
    };
    let names: String = ["--group", "--version", "--kind", "--controller-name"]
        .into_iter()
        .filter_map(value)
        .collect();
    format!("delete api{names}")
}

#[test]
fn every_api_of_every_scenario_can_be_taken_back() {
    for scenario in Scenario::all().unwrap() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let mut before = Vec::new();
        for command in &scenario.commands {
            before.push((command, tree(root)));
            kb_rs().succeed(root, command);
        }
        let created = before
            .iter()
            .filter(|(command, _)| command.starts_with("create"));
        for (command, before) in created.rev() {
            kb_rs().succeed(root, &opposite(command));
            kb_rs().succeed(root, "generate");
            // As it was when that was made, and the manifests follow.
            let wanted = tempfile::tempdir().unwrap();
            before.write(wanted.path()).unwrap();
            kb_rs().succeed(wanted.path(), "generate");
            assert_same(&tree(wanted.path()), root, &opposite(command));
        }
    }
}

#[test]
fn apis_can_be_deleted_in_the_order_in_which_they_were_made() {
    for scenario in Scenario::all().unwrap() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let is_create = |command: &&String| command.starts_with("create");
        kb_rs().succeed(root, &scenario.commands[0]);
        kb_rs().succeed(root, "generate");
        let start = tree(root);
        for command in scenario.commands.iter().filter(is_create) {
            kb_rs().succeed(root, command);
        }
        for command in scenario.commands.iter().filter(is_create) {
            // Whoever takes the type takes its named controllers, too.
            let run = kb_rs().run(root, opposite(command).split_whitespace());
            let gone = run.stderr.contains("this project has no");
            assert!(run.code == Some(0) || gone, "{command}: {}", run.stderr);
        }
        kb_rs().succeed(root, "generate");
        assert_same(&start, root, &scenario.name);
    }
}

#[test]
fn init_create_delete_is_init() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    kb_rs().succeed(root, "init --domain example.com --project-name demo");
    let start = tree(root);
    kb_rs().succeed(root, &format!("create api {API} --owns apps/v1/Deployment"));
    kb_rs().succeed(root, &format!("delete api {API}"));
    assert_same(&start, root, "without `generate`");
}

#[test]
fn what_the_user_changed_is_kept_and_named() {
    let folder = project();
    let root = folder.path();
    let (types, controller) = ("api/src/v1/app_service.rs", "src/controller/app_service.rs");
    append(root, types, "// mine\n");
    append(root, controller, "// mine\n");
    append(root, "src/main.rs", "// mine\n");
    let kept = [types, controller].map(|path| fs::read_to_string(root.join(path)).unwrap());

    let run = kb_rs().succeed(root, &format!("delete api {API}"));
    for (path, text) in [types, controller].into_iter().zip(kept) {
        assert!(
            run.stdout.contains(&format!("keep {path}")),
            "{}",
            run.stdout
        );
        assert_eq!(fs::read_to_string(root.join(path)).unwrap(), text);
    }
    let main = fs::read_to_string(root.join("src/main.rs")).unwrap();
    assert!(
        main.ends_with("// mine\n") && !main.contains("app_service"),
        "{main}"
    );
    assert!(!root.join("tests/app_service.rs").exists());
    assert!(!root.join("config/crd").exists());
}

#[test]
fn a_sample_that_followed_the_type_goes_with_it() {
    let folder = project();
    let root = folder.path();
    let field = "pub struct AppServiceSpec {\n    /// Pods to run.\n    pub replicas: i32,";
    replace(
        root,
        "api/src/v1/app_service.rs",
        "pub struct AppServiceSpec {",
        field,
    );
    kb_rs().succeed(root, "generate");
    let sample = fs::read_to_string(root.join("config/samples/batch_v1_appservice.yaml")).unwrap();
    assert!(sample.contains("replicas"), "{sample}");
    kb_rs().succeed(root, &format!("delete api {API}"));
    assert!(!root.join("config/samples").exists());
}

#[test]
fn force_deletes_what_the_user_changed() {
    let folder = project();
    let root = folder.path();
    append(root, "api/src/v1/app_service.rs", "// mine\n");
    append(root, "api/Cargo.toml", "# mine\n");
    kb_rs().succeed(root, &format!("delete api {API} --force"));
    assert!(!root.join("api").exists());
    assert!(
        !fs::read_to_string(root.join("Cargo.toml"))
            .unwrap()
            .contains("demo-api")
    );
}

#[test]
fn an_api_crate_that_the_user_changed_stays_whole() {
    let folder = project();
    let root = folder.path();
    append(root, "api/Cargo.toml", "# mine\n");
    let run = kb_rs().succeed(root, &format!("delete api {API}"));
    assert!(run.stderr.contains("the crate api stays"), "{}", run.stderr);
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    assert!(manifest.contains("members = [\"api\"]"), "{manifest}");
    let list = fs::read_to_string(root.join("api/src/lib.rs")).unwrap();
    assert!(!list.contains("AppService"), "{list}");
}

#[test]
fn a_line_that_the_user_changed_is_named() {
    let folder = project();
    let root = folder.path();
    replace(
        root,
        "src/main.rs",
        "register(&manager)",
        "register(&manager, 3)",
    );
    let run = kb_rs().succeed(root, &format!("delete api {API}"));
    assert!(
        run.stderr.contains("src/main.rs has no line"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_next_version_takes_the_place_of_the_stored_one() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let v2 = "--group batch --version v2 --kind AppService";
    kb_rs().succeed(root, "init --domain example.com --project-name demo");
    kb_rs().succeed(root, &format!("create api {v2}"));
    kb_rs().succeed(root, "generate");
    let only_v2 = tree(root);
    kb_rs().succeed(root, &format!("delete api {v2}"));
    kb_rs().succeed(root, &format!("create api {API} --controller=false"));
    kb_rs().succeed(root, &format!("create api {v2}"));
    kb_rs().succeed(root, "generate");
    let run = kb_rs().succeed(root, &format!("delete api {API}"));
    assert!(run.stderr.contains("stored version"), "{}", run.stderr);
    kb_rs().succeed(root, "generate");
    assert_same(&only_v2, root, "v2 alone");
}

#[test]
fn a_controller_that_used_the_kind_is_named() {
    let folder = project();
    let root = folder.path();
    let owner = "create api --group batch --version v1 --kind Platform --owns batch/v1/AppService";
    kb_rs().succeed(root, owner);
    append(root, "src/controller/platform.rs", "// mine\n");
    let run = kb_rs().succeed(root, &format!("delete api {API}"));
    assert!(
        run.stderr
            .contains("src/controller/platform.rs uses AppService"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_owned_the_kind_is_left_alone() {
    let folder = project();
    let root = folder.path();
    let owner = "create api --group batch --version v1 --kind Platform --owns batch/v1/AppService";
    kb_rs().succeed(root, owner);
    let controller = "src/controller/platform.rs";
    append(root, controller, "// mine\n");
    let before = fs::read_to_string(root.join(controller)).unwrap();
    kb_rs().succeed(root, &format!("delete api {API} --force"));
    assert_eq!(fs::read_to_string(root.join(controller)).unwrap(), before);
}

#[test]
fn crds_of_the_users_own_stay_deployed() {
    let folder = project();
    let root = folder.path();
    let list = "config/crd/kustomization.yaml";
    replace(
        root,
        list,
        "# +kb:scaffold:crds",
        "- bases/mine.yaml\n# +kb:scaffold:crds",
    );
    let run = kb_rs().succeed(root, &format!("delete api {API}"));
    assert!(
        run.stderr.contains("because it lists more"),
        "{}",
        run.stderr
    );
    let all = fs::read_to_string(root.join("config/default/kustomization.yaml")).unwrap();
    assert!(all.contains("- ../crd\n"), "{all}");
    let text = fs::read_to_string(root.join(list)).unwrap();
    assert!(
        text.contains("mine") && !text.contains("appservices"),
        "{text}"
    );
}

#[test]
fn a_test_that_the_user_changed_keeps_its_dependencies() {
    let folder = project();
    let root = folder.path();
    append(root, "tests/app_service.rs", "// mine\n");
    let run = kb_rs().succeed(root, &format!("delete api {API}"));
    assert!(run.stderr.contains("move or delete it"), "{}", run.stderr);
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    assert!(manifest.contains("kb-envtest"), "{manifest}");
}

#[test]
fn what_the_user_removed_is_no_obstacle() {
    let folder = project();
    let root = folder.path();
    kb_rs().succeed(root, "create api --group batch --version v1 --kind Other");
    fs::remove_dir_all(root.join("config/samples")).unwrap();
    kb_rs().succeed(root, &format!("delete api {API}"));
    assert!(!root.join("config/samples").exists());
}

#[test]
fn only_the_controllers_can_go() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    kb_rs().succeed(root, "init --domain example.com --project-name demo");
    kb_rs().succeed(root, &format!("create api {API} --controller=false"));
    let before = tree(root);
    kb_rs().succeed(root, &format!("create api {API} --resource=false"));
    kb_rs().succeed(root, &format!("delete api {API} --resource=false"));
    assert_same(&before, root, "--resource=false");
    kb_rs().refused(
        root,
        &format!("delete api {API} --resource=false"),
        1,
        &["has no controller", "leave out --resource=false"],
    );
}

#[test]
fn what_is_not_there_cannot_be_deleted() {
    let folder = project();
    let other = "delete api --group batch --version v2 --kind AppService";
    let expected = ["has no batch/v2/AppService", "it has batch/v1/AppService"];
    kb_rs().refused(folder.path(), other, 1, &expected);
    let named = format!("delete api {API} --controller-name nightly");
    kb_rs().refused(folder.path(), &named, 1, &["no controller \"nightly\""]);
}

#[test]
fn a_new_version_is_a_copy_of_the_newest_one_and_can_be_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let api = |version: &str| format!("--group batch --version {version} --kind Job");
    kb_rs().succeed(root, "init --domain example.com --project-name demo");
    kb_rs().succeed(root, &format!("create api {}", api("v1")));
    let source = "api/src/v1/job.rs";
    let example = "#[kb(example = \"bar\")]\n    pub foo: Option<String>";
    replace(root, source, example, "pub schedule: Schedule");
    let helper =
        "\n/// When, in v1.\n#[kb::object]\npub struct Schedule {\n    pub minute: i32,\n}\n";
    append(root, source, helper);
    kb_rs().succeed(root, &format!("create api {}", api("v1beta1")));
    replace(root, "api/src/v1beta1/job.rs", "in v1.", "in v1beta1.");
    kb_rs().succeed(root, "generate");
    let before = tree(root);
    let shown = kb_rs().succeed(root, &format!("create api {} --dry-run", api("v2")));
    assert!(
        shown
            .stderr
            .contains("starts as a copy of api/src/v1/job.rs"),
        "{}",
        shown.stderr
    );
    assert_same(&before, root, "a dry run");
    kb_rs().succeed(root, &format!("create api {}", api("v2")));
    let [one, two] = ["v1", "v2"]
        .map(|version| fs::read_to_string(root.join(format!("api/src/{version}/job.rs"))).unwrap());
    let expected = one.replace(
        "version = \"v1\",\n    kind = \"Job\",",
        "version = \"v2\",\n    kind = \"Job\",\n    storage = false,",
    );
    assert_eq!(two, expected);
    kb_rs().succeed(root, "generate");
    kb_rs().succeed(root, &format!("delete api {}", api("v2")));
    kb_rs().succeed(root, "generate");
    assert_same(&before, root, "delete api");
}
