//! A call that is wrong, or that the project does not allow, gets a clear error, and nothing is written.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

use std::fs;

use scaffold_tests::KbRs;
use tempfile::TempDir;

const API: &str = "create api --group batch --version v1 --kind AppService";

fn kb_rs() -> KbRs {
    KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test"))
}

/// A project with one kind.
fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    kb_rs().succeed(
        folder.path(),
        "init --domain example.com --project-name demo --api batch/v1/AppService",
    );
    folder
}

#[test]
fn outside_a_project_nothing_can_be_created() {
    let folder = tempfile::tempdir().unwrap();
    kb_rs().refused(
        folder.path(),
        API,
        1,
        &["is not in a kb-rs project", "kb-rs init"],
    );
}

#[test]
fn a_project_is_made_only_once() {
    let folder = project();
    kb_rs().refused(
        folder.path(),
        "init --domain example.com --project-name demo",
        1,
        &["is a project already", "kb-rs create api"],
    );
}

#[test]
fn a_command_works_from_a_folder_inside_the_project() {
    let folder = project();
    kb_rs().succeed(
        &folder.path().join("src"),
        "create api --group batch --version v1 --kind Backup",
    );
    assert!(folder.path().join("src/controller/backup.rs").exists());
}

#[test]
fn all_bad_names_of_a_call_are_listed_together() {
    let folder = tempfile::tempdir().unwrap();
    kb_rs().refused(
        folder.path(),
        "init --domain Example_com --project-name My.Operator --api Batch/1/app-service --kb-source nowhere",
        2,
        &[
            "domain \"Example_com\"",
            "project name \"My.Operator\"",
            "group \"Batch\"",
            "version \"1\"",
            "kind \"app-service\"",
            "kb source \"nowhere\"",
        ],
    );
    kb_rs().refused(
        project().path(),
        "create api --group ../x --version 1 --kind option --plural A --controller-name B --owns a/b --external-api-path a-b --external-api-module x",
        2,
        &[
            "group \"../x\"",
            "version \"1\"",
            "kind \"option\"",
            "plural \"A\"",
            "controller name \"B\"",
            "\"a/b\"",
            "external API path \"a-b\"",
            "external API module \"x\"",
        ],
    );
}

#[test]
fn a_missing_domain_is_named_and_not_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    kb_rs().refused(
        folder.path(),
        "init --project-name demo",
        2,
        &["no domain is given", "--domain"],
    );
}

#[test]
fn kinds_that_would_not_compile_are_refused_with_the_reason() {
    let folder = project();
    for kind in ["Option", "Result", "Box", "Self", "Serialize"] {
        let command = format!("create api --group batch --version v1 --kind {kind}");
        kb_rs().refused(folder.path(), &command, 2, &[&format!("kind \"{kind}\"")]);
    }
    for kind in ["AppServiceSpec", "Appservice", "APPService"] {
        let command = format!("create api --group batch --version v1 --kind {kind}");
        kb_rs().refused(
            folder.path(),
            &command,
            1,
            &["cannot stand beside AppService"],
        );
    }
}

#[test]
fn a_kind_that_exists_is_not_made_again() {
    let folder = project();
    kb_rs().refused(
        folder.path(),
        API,
        1,
        &[
            "batch.example.com/v1 AppService exists already",
            "has a controller already",
            "--force",
        ],
    );
}

#[test]
fn a_second_group_needs_the_multi_group_layout() {
    let folder = project();
    kb_rs().refused(
        folder.path(),
        "create api --group web --version v1 --kind Site",
        1,
        &["one API group, \"batch\"", "--multigroup"],
    );
}

#[test]
fn versions_of_a_kind_agree_on_scope_and_plural() {
    let folder = project();
    kb_rs().refused(
        folder.path(),
        "create api --group batch --version v2 --kind AppService --namespaced=false --plural apps",
        1,
        &[
            "is namespaced in version v1",
            "plural \"appservices\" in version v1",
        ],
    );
    kb_rs().refused(
        folder.path(),
        "create api --group batch --version v2 --kind AppService --controller",
        1,
        &[
            "batch.example.com/v1 AppService has a controller already",
            "--controller-name",
        ],
    );
}

#[test]
fn flags_that_contradict_each_other_are_listed_together() {
    let folder = project();
    kb_rs().refused(
        folder.path(),
        "create api --group x --version v1 --kind Widget --resource=false --controller=false --owns apps/v1/Deployment --external-api-domain a.b",
        2,
        &[
            "nothing to make",
            "--owns is about a controller",
            "say nothing without a path",
        ],
    );
    kb_rs().refused(
        folder.path(),
        "create api --group batch --version one --kind Widget --external-api-path widgets::v1",
        2,
        &[
            "not of the usual form",
            "a type of another crate cannot be made here",
        ],
    );
}

#[test]
fn what_cannot_be_owned_or_watched_is_refused_with_a_suggestion() {
    let folder = project();
    kb_rs().refused(
        folder.path(),
        "create api --group batch --version v1 --kind Backup --owns apps/v1/Service --owns core/v1/Namespace --owns batch/v1/Nothing",
        1,
        &[
            "did you mean core/v1/Service?",
            "cannot own core/v1/Namespace",
            "no batch/v1/Nothing to own",
        ],
    );
    kb_rs().refused(
        folder.path(),
        "create api --group apps --version v1 --kind Deploymnt --resource=false",
        1,
        &["did you mean apps/v1/Deployment?"],
    );
}

#[test]
fn a_namespaced_manager_gets_no_controller_for_a_cluster_scoped_kind() {
    let folder = tempfile::tempdir().unwrap();
    kb_rs().succeed(
        folder.path(),
        "init --domain example.com --project-name demo --namespaced",
    );
    kb_rs().refused(
        folder.path(),
        "create api --group batch --version v1 --kind Quota --namespaced=false",
        1,
        &["Quota is cluster-scoped", "--controller=false"],
    );
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf_8_is_refused() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let folder = project();
    let bad = OsStr::from_bytes(b"Back\xffup");
    let arguments = [
        "create",
        "api",
        "--group",
        "batch",
        "--version",
        "v1",
        "--kind",
    ];
    let run = kb_rs().run(
        folder.path(),
        arguments.map(OsStr::new).into_iter().chain([bad]),
    );
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("UTF-8"), "{}", run.stderr);
}

#[test]
fn with_json_problems_are_a_document() {
    let folder = project();
    let command = format!("{API} --output json");
    let run = kb_rs().run(folder.path(), command.split_whitespace());
    assert_eq!(run.code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["outcome"], "failed");
    assert!(
        report["problems"][0]["message"]
            .as_str()
            .unwrap()
            .contains("exists already")
    );
    assert!(run.stderr.is_empty(), "{}", run.stderr);
}

#[test]
fn problems_of_the_call_the_project_and_the_tree_are_listed_together() {
    let folder = project();
    fs::remove_file(folder.path().join("src/main.rs")).unwrap();
    kb_rs().refused(
        folder.path(),
        "create api --group web --version latest --kind Site --owns apps/v1/Nope",
        2,
        &[
            "version \"latest\" is not of the usual form",
            "one API group, \"batch\"",
            "no apps/v1/Nope to own",
            "src/main.rs does not exist",
        ],
    );
    let run = kb_rs().refused(
        folder.path(),
        "init --domain Example --project-name X",
        2,
        &[
            "domain \"Example\"",
            "project name \"X\"",
            "is a project already",
        ],
    );
    assert_eq!(run.stderr.matches("error:").count(), 3, "{}", run.stderr);
}

#[test]
fn a_controllers_name_is_its_own() {
    let folder = project();
    let named = "create api --group batch --version v1 --kind AppService --resource=false --controller-name";
    kb_rs().succeed(folder.path(), &format!("{named} clean-up"));
    for (command, expected) in [
        (
            format!("{named} clean-up"),
            "has the controller \"clean-up\" already",
        ),
        (format!("{named} app-service"), "has the same name or file"),
        (format!("{named} appservice"), "has the same name or file"),
        (
            "create api --group batch --version v1 --kind CleanUp".to_owned(),
            "\"clean-up\" of AppService",
        ),
        (
            "create api --group batch --version v1 --kind Other --controller-name clean-up --force"
                .to_owned(),
            "\"clean-up\" of AppService",
        ),
    ] {
        kb_rs().refused(folder.path(), &command, 1, &[expected]);
    }
}

#[test]
fn a_type_of_another_crate_needs_that_crate() {
    let folder = project();
    let command = "create api --group factory --version v1 --kind Widget --resource=false --external-api-domain example.org --external-api-path";
    kb_rs().refused(
        folder.path(),
        &format!("{command} widgets::v1"),
        1,
        &[
            "`widgets` is not among the dependencies",
            "--external-api-module",
        ],
    );
    kb_rs().refused(
        folder.path(),
        &format!("{command} crate::widgets"),
        2,
        &["external API path \"crate::widgets\""],
    );
}

#[test]
fn what_is_fixed_cannot_be_chosen() {
    let folder = project();
    kb_rs().refused(
        folder.path(),
        "create api --group core --version v1 --kind ConfigMap --resource=false --plural maps --namespaced=false",
        1,
        &[
            "plural of ConfigMap is \"configmaps\"",
            "ConfigMap is namespaced",
        ],
    );
    kb_rs().refused(
        folder.path(),
        "create api --group batch.example.com --version v1 --kind Backup",
        1,
        &["leave the domain out: --group batch"],
    );
}

#[test]
fn one_kind_of_kubernetes_has_one_name_however_it_is_written() {
    let folder = project();
    kb_rs().succeed(
        folder.path(),
        "create api --group networking.k8s.io --version v1 --kind Ingress --resource=false",
    );
    kb_rs().refused(
        folder.path(),
        "create api --group networking --version v1 --kind Ingress --resource=false",
        1,
        &["networking.k8s.io/v1 Ingress has a controller already"],
    );
}

#[test]
fn a_problem_with_every_version_of_a_kind_is_printed_once() {
    let folder = tempfile::tempdir().unwrap();
    let kb_rs = kb_rs();
    for command in [
        "init --domain example.com --project-name demo",
        "create api --group batch --version v1 --kind CronJob",
        "create api --group batch --version v2 --kind CronJob",
    ] {
        kb_rs.succeed(folder.path(), command);
    }
    let call = "create api --group batch --version v1 --kind Cronjob";
    let printed = kb_rs.refused(folder.path(), call, 1, &[]).stderr;
    let plural = "the plural \"cronjobs\" is that of CronJob already";
    assert_eq!(printed.matches(plural).count(), 1, "{printed}");
    let name = "kind Cronjob cannot stand beside CronJob";
    assert_eq!(printed.matches(name).count(), 1, "{printed}");
}

#[test]
fn a_source_of_kb_that_would_leave_its_line_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = "git:https://example.com/kb\n      - run: ${{ secrets.TOKEN }}";
    let arguments = [
        "init",
        "--domain",
        "example.com",
        "--project-name",
        "demo",
        "--kb-source",
        hostile,
    ];
    let run = kb_rs().run(folder.path(), arguments);
    assert_eq!(run.code, Some(2), "{}", run.stdout);
    assert!(run.stderr.contains("kb source"), "{}", run.stderr);

    let folder = project();
    let project = folder.path().join("PROJECT");
    let text = fs::read_to_string(&project).unwrap();
    let plugins = "plugins:\n  rust.kb-rs.dev/v1:\n    kbSource: \"git:https://e.com/${{ x }}\"\n";
    fs::write(&project, format!("{text}{plugins}")).unwrap();
    for command in [
        "edit --license mit",
        "create api --group batch --version v1 --kind Backup",
    ] {
        kb_rs().refused(
            folder.path(),
            command,
            1,
            &["kb source \"git:https://e.com/${{ x }}\""],
        );
    }
}

/// As git's `safe.directory`: somebody else's PROJECT in a folder above is not taken for one's own.
#[cfg(unix)]
#[test]
fn a_project_of_another_user_is_not_worked_in() {
    use std::os::unix::fs::{MetadataExt, chown};

    let folder = project();
    let root = folder.path();
    let own = root.join("mine");
    fs::create_dir(&own).unwrap();
    if fs::metadata(root).unwrap().uid() != 0 {
        return scaffold_tests::skip("only root can give a file to another user");
    }
    let expected = [
        "PROJECT belongs to another user (uid 65534)",
        "KB_SAFE_DIRECTORY=",
    ];
    let create = "create api --group batch --version v1 --kind Backup";
    let journal = root.join(".kb-rs-journal");
    chown(root.join("PROJECT"), Some(65534), None).unwrap();
    for command in [create, "generate", "edit --license mit", "envtest run"] {
        kb_rs().refused(&own, command, 1, &expected);
    }
    let safe = std::process::Command::new(kb_rs().path())
        .args(create.split_whitespace())
        .arg("--dry-run")
        .current_dir(&own)
        .env("KB_SAFE_DIRECTORY", root)
        .output()
        .unwrap();
    assert!(safe.status.success(), "{safe:?}");

    // A journal is as good as a PROJECT.
    chown(root.join("PROJECT"), Some(0), None).unwrap();
    fs::write(&journal, "").unwrap();
    chown(&journal, Some(65534), None).unwrap();
    kb_rs().refused(&own, create, 1, &["journal belongs to another user"]);
    fs::remove_file(journal).unwrap();

    // Who works in somebody's folder, as root in a container does, has chosen to.
    for path in [root.to_owned(), root.join("PROJECT"), root.join("src")] {
        chown(path, Some(65534), None).unwrap();
    }
    kb_rs().succeed(&root.join("src"), create);
}
