//! Invalid commands, and commands that the project does not allow, fail without writing a file.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use scaffold_tests::Project;

const CREATE_BACKUP: &str = "create api --group batch --version v1 --kind Backup";

#[test]
fn create_api_requires_a_project() {
    Project::empty().assert_rejected("create_api_outside_a_project", 1, CREATE_BACKUP);
}

#[test]
fn init_rejects_an_existing_project() {
    Project::demo().assert_rejected(
        "init_in_a_project",
        1,
        "init --domain example.com --project-name demo",
    );
}

#[test]
fn commands_work_from_a_subdirectory() {
    let mut project = Project::demo();
    project.change_dir("src");
    project.succeed(CREATE_BACKUP);
    assert!(project.exists("src/controller/backup.rs"));
}

#[test]
fn invalid_names_are_reported_together() {
    Project::empty().assert_rejected(
        "init_with_invalid_names",
        2,
        "init --domain Example_com --project-name My.Operator --api Batch/1/app-service --kb-source nowhere",
    );
    Project::demo().assert_rejected(
        "create_api_with_invalid_names",
        2,
        "create api --group ../x --version 1 --kind option --plural A --controller-name B --owns a/b --external-api-path a-b --external-api-module x",
    );
}

#[test]
fn a_missing_domain_is_reported_without_a_prompt() {
    Project::empty().assert_rejected("init_without_a_domain", 2, "init --project-name demo");
}

#[test]
fn kinds_that_would_not_compile_are_rejected() {
    let project = Project::demo();
    project.assert_rejected(
        "kinds_with_reserved_names",
        2,
        "create api --group batch --version v1 --kind Option
        create api --group batch --version v1 --kind Result
        create api --group batch --version v1 --kind Box
        create api --group batch --version v1 --kind Self
        create api --group batch --version v1 --kind Serialize",
    );
    project.assert_rejected(
        "kinds_that_collide_with_another",
        1,
        "create api --group batch --version v1 --kind AppServiceSpec
        create api --group batch --version v1 --kind Appservice
        create api --group batch --version v1 --kind APPService",
    );
}

#[test]
fn an_existing_kind_is_rejected() {
    Project::demo().assert_rejected(
        "existing_kind",
        1,
        "create api --group batch --version v1 --kind AppService",
    );
}

#[test]
fn a_second_group_requires_the_multi_group_layout() {
    Project::demo().assert_rejected(
        "second_group",
        1,
        "create api --group web --version v1 --kind Site",
    );
}

#[test]
fn versions_of_a_kind_share_scope_plural_and_controller() {
    Project::demo().assert_rejected(
        "version_that_differs",
        1,
        "create api --group batch --version v2 --kind AppService --namespaced=false --plural apps
        create api --group batch --version v2 --kind AppService --controller",
    );
}

#[test]
fn contradictory_flags_are_reported_together() {
    Project::demo().assert_rejected(
        "contradictory_flags",
        2,
        "create api --group x --version v1 --kind Widget --resource=false --controller=false --owns apps/v1/Deployment --external-api-domain a.b
        create api --group batch --version one --kind Widget --external-api-path widgets::v1",
    );
}

#[test]
fn invalid_images_are_reported_together() {
    Project::demo().assert_rejected(
        "invalid_image",
        2,
        r#"create api --group batch --version v1 --kind Site --image a"b --image-container-port 65536 --image-container-command sh,,c --run-as-user 0"#,
    );
}

#[test]
fn flags_that_contradict_an_image_are_reported_together() {
    Project::demo().assert_rejected(
        "contradictory_image_flags",
        2,
        "create api --group batch --version v1 --kind Site --image-container-port 80 --image-container-command sh --run-as-user 1
        create api --group batch --version v1 --kind Site --image app --owns core/v1/Secret --namespaced=false --controller-name web
        create api --group batch --version v1 --kind Site --image app --resource=false --controller=false",
    );
}

#[test]
fn an_image_requires_a_new_kind_and_its_own_controller() {
    let project = Project::demo();
    let site = "--group batch --version v1 --kind Site";
    project.succeed(&format!(
        "create api {site} --image app\ndelete api {site} --resource=false"
    ));
    project.assert_rejected(
        "image_of_an_existing_kind",
        1,
        &format!(
            "create api --group batch --version v2 --kind AppService --image app
            create api {site} --resource=false --owns core/v1/Secret"
        ),
    );
}

#[test]
fn kinds_that_cannot_be_owned_or_watched_are_rejected() {
    Project::demo().assert_rejected(
        "unknown_kinds",
        1,
        "create api --group batch --version v1 --kind Backup --owns apps/v1/Service --owns core/v1/Namespace --owns batch/v1/Nothing
        create api --group apps --version v1 --kind Deploymnt --resource=false",
    );
}

#[test]
fn a_namespaced_manager_rejects_controllers_of_cluster_scoped_kinds() {
    let project = Project::new("init --domain example.com --project-name demo --namespaced");
    project.assert_rejected(
        "cluster_scoped_kind_in_a_namespaced_project",
        1,
        "create api --group batch --version v1 --kind Quota --namespaced=false",
    );
}

#[cfg(unix)]
#[test]
fn a_kind_that_is_not_utf_8_is_rejected() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let project = Project::demo();
    let before = project.tree();
    let command = "create api --group batch --version v1 --kind";
    let words = command.split(' ').map(OsStr::new);
    let run = project.run(words.chain([OsStr::from_bytes(b"Back\xffup")]));
    assert_eq!(run.code, Some(2), "{run}");
    assert_eq!(project.tree(), before);
    project.assert_snapshot("kind_that_is_not_utf_8", &run.to_string());
}

#[test]
fn problems_are_a_json_document_on_request() {
    Project::demo().assert_rejected(
        "problems_in_json",
        1,
        "create api --group batch --version v1 --kind AppService --output json",
    );
}

#[test]
fn problems_of_the_command_the_project_and_the_tree_are_reported_together() {
    let project = Project::demo();
    project.remove("src/main.rs");
    project.assert_rejected(
        "all_problems",
        2,
        "create api --group web --version latest --kind Site --owns apps/v1/Nope
        init --domain Example --project-name X",
    );
}

#[test]
fn controller_names_are_unique() {
    let project = Project::demo();
    let named = "create api --group batch --version v1 --kind AppService --resource=false";
    project.succeed(&format!("{named} --controller-name clean-up"));
    project.assert_rejected(
        "controller_names_that_collide",
        1,
        &format!(
            "{named} --controller-name clean-up
            {named} --controller-name app-service
            {named} --controller-name appservice
            create api --group batch --version v1 --kind CleanUp
            create api --group batch --version v1 --kind Other --controller-name clean-up --force"
        ),
    );
}

#[test]
fn an_external_type_requires_its_crate() {
    let project = Project::demo();
    let command = "create api --group factory --version v1 --kind Widget --resource=false --external-api-domain example.org --external-api-path";
    project.assert_rejected(
        "external_crate_that_is_missing",
        1,
        &format!("{command} widgets::v1"),
    );
    project.assert_rejected(
        "external_path_in_this_crate",
        2,
        &format!("{command} crate::widgets"),
    );
}

#[test]
fn plural_scope_and_group_of_builtin_kinds_are_fixed() {
    Project::demo().assert_rejected(
        "fixed_values",
        1,
        "create api --group core --version v1 --kind ConfigMap --resource=false --plural maps --namespaced=false
        create api --group batch.example.com --version v1 --kind Backup",
    );
}

#[test]
fn a_builtin_group_is_the_same_with_and_without_its_domain() {
    let project = Project::demo();
    project.succeed(
        "create api --group networking.k8s.io --version v1 --kind Ingress --resource=false",
    );
    project.assert_rejected(
        "builtin_kind_by_its_short_group",
        1,
        "create api --group networking --version v1 --kind Ingress --resource=false",
    );
}

#[test]
fn a_problem_with_all_versions_of_a_kind_is_reported_once() {
    let project = Project::new(
        "init --domain example.com --project-name demo
        create api --group batch --version v1 --kind CronJob
        create api --group batch --version v2 --kind CronJob",
    );
    project.assert_rejected(
        "kind_that_collides_with_two_versions",
        1,
        "create api --group batch --version v1 --kind Cronjob",
    );
}

#[test]
fn a_kb_source_cannot_inject_lines() {
    let project = Project::empty();
    let run = project.run([
        "init",
        "--domain=example.com",
        "--project-name=demo",
        "--kb-source=git:https://example.com/kb\n      - run: ${{ secrets.TOKEN }}",
    ]);
    assert_eq!(run.code, Some(2), "{run}");
    assert!(!project.exists("PROJECT"));
    project.assert_snapshot("kb_source_with_a_line_break", &run.to_string());

    let project = Project::demo();
    project.append(
        "PROJECT",
        "plugins:\n  rust.kb-rs.dev/v1:\n    kbSource: \"git:https://e.com/${{ x }}\"\n",
    );
    project.assert_rejected(
        "kb_source_with_an_expression",
        1,
        &format!("edit --license mit\n{CREATE_BACKUP}"),
    );
}

/// As with git's `safe.directory`, commands do not trust a PROJECT of another user in a parent directory.
#[cfg(unix)]
#[test]
fn a_project_of_another_user_is_rejected() {
    use std::{
        fs,
        os::unix::fs::{MetadataExt, chown},
    };

    let mut project = Project::demo();
    fs::create_dir(project.path("mine")).unwrap();
    if fs::metadata(project.root()).unwrap().uid() != 0 {
        return scaffold_tests::skip("only root can change the owner of a file");
    }
    project.change_dir("mine");
    chown(project.path("PROJECT"), Some(65534), None).unwrap();
    project.assert_rejected(
        "project_of_another_user",
        1,
        &format!("{CREATE_BACKUP}\ngenerate\nedit --license mit\nenvtest run"),
    );

    // A journal is trusted like a PROJECT.
    chown(project.path("PROJECT"), Some(0), None).unwrap();
    project.write(".kb-rs-journal", "");
    chown(project.path(".kb-rs-journal"), Some(65534), None).unwrap();
    project.assert_rejected("journal_of_another_user", 1, CREATE_BACKUP);
    project.remove(".kb-rs-journal");

    chown(project.path("PROJECT"), Some(65534), None).unwrap();
    let root = project.root().to_owned();
    project.set_env("KB_SAFE_DIRECTORY", root);
    project.succeed(&format!("{CREATE_BACKUP} --dry-run"));
    project.set_env("KB_SAFE_DIRECTORY", "");

    // The owner of the working directory is trusted: root in a container works in directories of others.
    for path in ["", "PROJECT", "src"] {
        chown(project.path(path), Some(65534), None).unwrap();
    }
    project.change_dir("src");
    project.succeed(CREATE_BACKUP);
}
