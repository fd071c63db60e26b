//! `delete api`, the inverse of `create api`.

use scaffold_tests::{Project, Scenario};

use crate::{API, INIT, assert_tree, project};

/// Returns the command that reverts a `create api`.
fn inverse(create: &str) -> String {
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
fn apis_of_all_scenarios_can_be_deleted_in_reverse_order() {
    for scenario in Scenario::all().unwrap() {
        let project = Project::empty();
        let mut before = Vec::new();
        for command in &scenario.commands {
            before.push((command, project.tree()));
            project.succeed(command);
        }
        let created = before
            .iter()
            .filter(|(command, _)| command.starts_with("create"));
        for (command, before) in created.rev() {
            let delete = inverse(command);
            project.succeed(&delete);
            assert_tree(&project, before, &delete);
        }
    }
}

#[test]
fn apis_of_all_scenarios_can_be_deleted_in_order_of_creation() {
    for scenario in Scenario::all().unwrap() {
        let project = Project::new(&scenario.commands[0]);
        let before = project.tree();
        let created = || {
            let commands = scenario.commands.iter();
            commands.filter(|command| command.starts_with("create"))
        };
        for command in created() {
            project.succeed(command);
        }
        for command in created() {
            // Fails for named controllers of a kind that is deleted: they were deleted with it.
            let run = project.run(inverse(command).split_whitespace());
            assert!(matches!(run.code, Some(0 | 1)), "{command}: {run}");
            project.succeed("generate --check");
        }
        assert_tree(&project, &before, &scenario.name);
    }
}

#[test]
fn deleting_an_api_restores_the_crds_and_the_role() {
    let project = project();
    let role = "config/rbac/role.yaml";
    let crds = "config/crd/bases/batch.example.com_appservices.yaml";
    for api in [
        // Another kind, another version, and controllers that only have rules.
        "--group batch --version v1 --kind Backup --owns batch/v1/Job",
        "--group batch --version v2 --kind AppService",
        "--group core --version v1 --kind Node --resource=false",
        "--group factory --version v1 --kind Widget --resource=false --external-api-path widgets_api::v1 \
         --external-api-domain example.org --external-api-module widgets-api@path:../widgets-api",
    ] {
        let before = project.tree();
        project.succeed(&format!("create api {api}"));
        let changed = |path: &str| before.get(path) != Some(&*project.read(path));
        assert!(changed(role) || changed(crds), "create api {api}");
        project.succeed("generate --check");
        project.succeed(&inverse(&format!("create api {api}")));
        assert_tree(&project, &before, api);
    }
}

#[test]
fn projects_without_recorded_owned_kinds_are_reverted_as_well() {
    let project = Project::new(INIT);
    let before = project.tree();
    project.succeed(&format!("create api {API} --owns apps/v1/Deployment"));
    let owns = "  owns:\n  - group: apps\n    kind: Deployment\n    version: v1\n";
    project.replace("PROJECT", owns, "");
    project.succeed(&format!("delete api {API}"));
    assert_tree(&project, &before, "without `owns` in PROJECT");
}

#[test]
fn edited_files_are_kept_and_listed() {
    let project = project();
    let edited = ["api/src/v1/app_service.rs", "src/controller/app_service.rs"];
    for path in edited.into_iter().chain(["src/main.rs"]) {
        project.append(path, "// mine\n");
    }
    let before = project.tree();
    project.assert_output("edited_files", &format!("delete api {API}"));
    for path in edited {
        assert_eq!(Some(project.read(path).as_str()), before.get(path));
    }
    let main = project.read("src/main.rs");
    assert!(
        main.ends_with("// mine\n") && !main.contains("app_service"),
        "{main}"
    );
    assert!(!project.exists("tests/app_service.rs"));
    assert!(!project.exists("config/crd"));
}

#[test]
fn a_generated_sample_is_deleted_with_its_type() {
    let project = project();
    project.replace(
        "api/src/v1/app_service.rs",
        "pub struct AppServiceSpec {",
        "pub struct AppServiceSpec {\n    /// Pods to run.\n    pub replicas: i32,",
    );
    project.succeed("generate");
    let sample = project.read("config/samples/batch_v1_appservice.yaml");
    assert!(sample.contains("replicas"), "{sample}");
    project.succeed(&format!("delete api {API}"));
    assert!(!project.exists("config/samples"));
}

#[test]
fn force_deletes_edited_files() {
    let project = project();
    project.append("api/src/v1/app_service.rs", "// mine\n");
    project.append("api/Cargo.toml", "# mine\n");
    project.succeed(&format!("delete api {API} --force"));
    assert!(!project.exists("api"));
    assert!(!project.read("Cargo.toml").contains("demo-api"));
}

#[test]
fn an_edited_api_crate_stays_a_member_of_the_workspace() {
    let project = project();
    project.append("api/Cargo.toml", "# mine\n");
    project.assert_output("edited_api_crate", &format!("delete api {API}"));
    let manifest = project.read("Cargo.toml");
    assert!(manifest.contains("members = [\"api\"]"), "{manifest}");
    let list = project.read("api/src/lib.rs");
    assert!(!list.contains("AppService"), "{list}");
}

#[test]
fn an_edited_line_is_reported() {
    let project = project();
    project.replace("src/main.rs", "(&manager)", "(&manager, 3)");
    project.assert_output("edited_line", &format!("delete api {API}"));
}

#[test]
fn the_next_version_becomes_the_storage_version() {
    let v2 = "--group batch --version v2 --kind AppService";
    let project = Project::new(&format!("{INIT}\ncreate api {v2}"));
    let only_v2 = project.tree();
    project.succeed(&format!(
        "delete api {v2}\ncreate api {API} --controller=false\ncreate api {v2}"
    ));
    project.assert_output("storage_version", &format!("delete api {API}"));
    assert_tree(&project, &only_v2, "v2 alone");
}

#[test]
fn an_edited_controller_that_owns_the_kind_is_reported_and_kept() {
    let project = project();
    project.succeed(
        "create api --group batch --version v1 --kind Platform --owns batch/v1/AppService",
    );
    let controller = "src/controller/platform.rs";
    project.append(controller, "// mine\n");
    let before = project.read(controller);
    project.assert_unchanged("owner_of_the_kind", &format!("delete api {API} --dry-run"));
    project.succeed(&format!("delete api {API} --force"));
    assert_eq!(project.read(controller), before);
}

#[test]
fn crds_of_the_user_stay_deployed() {
    let project = project();
    let list = "config/crd/kustomization.yaml";
    let marker = "# +kb:scaffold:crds";
    project.replace(list, marker, &format!("- bases/mine.yaml\n{marker}"));
    project.write(
        "config/crd/bases/mine.yaml",
        "kind: CustomResourceDefinition\n",
    );
    project.assert_output("crd_of_the_user", &format!("delete api {API}"));
    let all = project.read("config/default/kustomization.yaml");
    assert!(all.contains("- ../crd\n"), "{all}");
    let text = project.read(list);
    assert!(
        text.contains("mine") && !text.contains("appservices"),
        "{text}"
    );
}

#[test]
fn an_edited_test_keeps_its_dependencies() {
    let project = project();
    project.append("tests/app_service.rs", "// mine\n");
    project.assert_output("edited_test", &format!("delete api {API}"));
    let manifest = project.read("Cargo.toml");
    assert!(manifest.contains("kb-envtest"), "{manifest}");
}

#[test]
fn files_that_the_user_removed_are_no_conflict() {
    let project = project();
    project.succeed("create api --group batch --version v1 --kind Other");
    project.remove("config/samples");
    project.succeed(&format!("delete api {API}"));
    assert!(!project.exists("config/samples"));
}

#[test]
fn controllers_can_be_deleted_without_the_type() {
    let project = Project::new(&format!("{INIT}\ncreate api {API} --controller=false"));
    let before = project.tree();
    let delete = format!("delete api {API} --resource=false");
    project.succeed(&format!("create api {API} --resource=false\n{delete}"));
    assert_tree(&project, &before, "--resource=false");
    project.assert_rejected("no_controller", 1, &delete);
}

#[test]
fn a_deleted_controller_of_an_image_can_be_created_again() {
    let image =
        "--image app --image-container-port 80 --image-container-command sh,-c,a'b --run-as-user 7";
    let project = Project::new(&format!("{INIT}\ncreate api {API} {image}"));
    let before = project.tree();
    project.succeed(&format!(
        "delete api {API} --resource=false\ncreate api {API} --resource=false"
    ));
    assert_tree(&project, &before, "--resource=false");
}

#[test]
fn only_existing_apis_can_be_deleted() {
    project().assert_rejected(
        "no_such_api",
        1,
        &format!(
            "delete api --group batch --version v2 --kind AppService
            delete api {API} --controller-name nightly"
        ),
    );
}

#[test]
fn a_new_version_copies_the_newest_one_and_can_be_deleted() {
    let api = |version: &str| format!("--group batch --version {version} --kind Job");
    let project = Project::new(&format!("{INIT}\ncreate api {}", api("v1")));
    let source = "api/src/v1/job.rs";
    let example = "#[kb(example = \"bar\")]\n    pub foo: Option<String>";
    project.replace(source, example, "pub schedule: Schedule");
    project.append(
        source,
        "\n/// When, in v1.\n#[kb::object]\npub struct Schedule {\n    pub minute: i32,\n}\n",
    );
    project.succeed(&format!("create api {}", api("v1beta1")));
    project.replace("api/src/v1beta1/job.rs", "in v1.", "in v1beta1.");
    project.succeed("generate");
    let before = project.tree();
    let create = format!("create api {}", api("v2"));
    project.assert_unchanged("copied_version", &format!("{create} --dry-run"));
    project.succeed(&create);
    let expected = project.read(source).replace(
        "version = \"v1\",\n    kind = \"Job\",",
        "version = \"v2\",\n    kind = \"Job\",\n    storage = false,",
    );
    assert_eq!(project.read("api/src/v2/job.rs"), expected);
    project.succeed(&format!("delete api {}", api("v2")));
    assert_tree(&project, &before, "delete api");
}
