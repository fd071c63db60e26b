//! Which files are written, which stay, and which go.

use std::fs;

use crate::project::{LIST, MARK, Project, ROLE, base};

#[test]
fn each_kind_has_a_file_and_a_line_in_the_list() {
    let project = Project::new(&["Job", "Task"]);
    let run = project.succeed("generate");
    assert!(
        run.stdout.contains(&format!("create {}", base("Job"))),
        "{}",
        run.stdout
    );
    let text = project.read(&base("Job"));
    let start = format!(
        "{MARK}---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n"
    );
    assert!(text.starts_with(&start), "{text}");
    assert!(text.contains("  name: jobs.batch.example.com\n"), "{text}");
    assert_eq!(
        project.read(LIST),
        "resources:\n- bases/batch.example.com_jobs.yaml\n- bases/batch.example.com_tasks.yaml\n# +kb:scaffold:crds\n"
    );
}

#[test]
fn a_second_run_touches_nothing() {
    let project = Project::new(&["Job", "Task"]);
    project.succeed("generate");
    let files = [base("Job"), base("Task"), LIST.to_owned()];
    let before = files.each_ref().map(|file| project.modified(file));
    let run = project.succeed("generate crd");
    assert!(run.stderr.contains("nothing to change"), "{}", run.stderr);
    assert_eq!(files.each_ref().map(|file| project.modified(file)), before);
}

#[test]
fn only_what_changed_is_written() {
    let project = Project::new(&["Job", "Task"]);
    project.succeed("generate");
    let before = project.modified(&base("Task"));
    project.kind("Job", "Something else.");
    let run = project.succeed("generate");
    assert_eq!(run.stdout.trim(), format!("modify {}", base("Job")));
    assert!(project.read(&base("Job")).contains("Something else."));
    assert_eq!(project.modified(&base("Task")), before);
}

#[test]
fn a_check_fails_with_the_difference_and_writes_nothing() {
    let project = Project::new(&["Job"]);
    project.refused(
        "generate --check",
        1,
        &["3 files are not up to date", "kb-rs generate"],
    );
    project.succeed("generate");
    let run = project.succeed("generate --check");
    assert!(
        run.stderr.contains("everything is up to date"),
        "{}",
        run.stderr
    );

    project.kind("Job", "Something else.");
    let run = project.refused("generate crd --check", 1, &["1 file is not up to date"]);
    assert!(
        run.stdout.contains('+') && run.stdout.contains("Something else."),
        "{}",
        run.stdout
    );
    let run = project.refused("generate --check --dry-run", 1, &[]);
    assert_eq!(run.stdout.trim(), format!("modify {}", base("Job")));
    let run = project.refused("generate --check --output json", 1, &[]);
    for expected in ["\"outcome\": \"drifted\"", "\"diff\"", "not up to date"] {
        assert!(run.stdout.contains(expected), "{}", run.stdout);
    }
}

#[test]
fn what_would_be_written_can_be_seen_first() {
    let project = Project::new(&["Job"]);
    let run = project.refused("generate --dry-run", 0, &["nothing was written"]);
    assert!(
        run.stdout.contains(&format!("create {}", base("Job"))),
        "{}",
        run.stdout
    );
    let run = project.refused("generate --diff", 0, &["nothing was written"]);
    assert!(
        run.stdout.contains("+kind: CustomResourceDefinition"),
        "{}",
        run.stdout
    );
}

#[test]
fn documents_can_be_printed() {
    let project = Project::new(&["Job", "Task"]);
    let run = project.refused("generate --stdout", 0, &[]);
    assert_eq!(run.stdout.matches("\n---\n").count(), 3, "{}", run.stdout);
    project.succeed("generate");
    let files = [base("Job"), base("Task"), ROLE.to_owned()];
    assert_eq!(run.stdout, files.map(|file| project.read(&file)).concat());
}

#[test]
fn the_file_of_a_kind_that_is_gone_is_removed() {
    let project = Project::new(&["Job", "Task"]);
    project.succeed("generate");
    project.list_kinds(&["Task"]);
    let run = project.refused("generate --check", 1, &["2 files are not up to date"]);
    assert!(run.stdout.contains("+++ /dev/null"), "{}", run.stdout);
    let run = project.succeed("generate");
    assert!(
        run.stdout.contains(&format!("remove {}", base("Job"))),
        "{}",
        run.stdout
    );
    assert!(!project.has(&base("Job")));
    assert_eq!(
        project.read(LIST),
        "resources:\n- bases/batch.example.com_tasks.yaml\n# +kb:scaffold:crds\n"
    );
    project.refused("generate", 0, &["nothing to change"]);
}

#[test]
fn a_line_for_a_file_that_is_nowhere_goes() {
    let project = Project::new(&["Job", "Task"]);
    project.succeed("generate");
    fs::remove_file(project.path(&base("Task"))).unwrap();
    project.list_kinds(&["Job"]);
    project.succeed("generate");
    assert_eq!(
        project.read(LIST),
        "resources:\n- bases/batch.example.com_jobs.yaml\n# +kb:scaffold:crds\n"
    );
}

#[test]
fn a_missing_api_crate_takes_no_crds_with_it() {
    let project = Project::new(&["Job"]);
    project.succeed("generate");
    let record = project.read("PROJECT").replace(
        "version:",
        "resources:\n- api:\n    crdVersion: v1\n    namespaced: true\n  domain: example.com\n  group: batch\n  kind: Job\n  path: demo_api::v1\n  version: v1\nversion:",
    );
    project.write("PROJECT", &record);
    fs::remove_dir_all(project.path("api")).unwrap();
    project.refused("generate", 1, &["api/Cargo.toml does not exist"]);
    assert!(project.read(&base("Job")).contains("kind: Job"));
}

#[test]
fn files_that_kb_rs_did_not_make_stay() {
    let project = Project::new(&["Job"]);
    let foreign = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    project.write(&base("Mine"), foreign);
    let run = project.succeed("generate");
    assert!(
        run.stderr.contains(&format!(
            "{} was not made by `kb-rs generate`, and stays",
            base("Mine")
        )),
        "{}",
        run.stderr
    );
    assert_eq!(project.read(&base("Mine")), foreign);

    project.write(&base("Job"), foreign);
    project.refused(
        "generate",
        1,
        &[
            "exists already, and was not made by `kb-rs generate`",
            "move it away",
        ],
    );
}

#[test]
fn a_project_without_kinds_has_no_crds() {
    let project = Project::new(&["Job"]);
    project.succeed("generate");
    project.list_kinds(&[]);
    let run = project.succeed("generate");
    assert!(run.stderr.contains("no kinds are listed"), "{}", run.stderr);
    assert!(!project.has(&base("Job")));

    fs::remove_dir_all(project.path("api")).unwrap();
    project.write("Cargo.toml", "[workspace]\nmembers = []\n");
    project.refused(
        "generate",
        0,
        &[
            "no kinds are listed: `kb-rs create api` adds one",
            "nothing to change",
        ],
    );
    project.refused("generate --build", 0, &["no kinds are listed"]);
}

#[test]
fn another_folder_can_be_chosen() {
    let project = Project::new(&["Job"]);
    let list = project.read(LIST);
    project.succeed("generate crd --output-dir deploy/crds");
    assert!(project.has("deploy/crds/batch.example.com_jobs.yaml"));
    assert!(!project.has("config/crd/bases"));
    assert_eq!(project.read(LIST), list);
}

#[test]
fn a_header_stands_above_each_document() {
    let project = Project::new(&["Job"]);
    project.write("hack/header.txt", "Copyright us.\n\n# All rights.\n");
    project.succeed("generate --header-file hack/header.txt");
    let text = project.read(&base("Job"));
    assert!(
        text.starts_with(&format!("# Copyright us.\n#\n# All rights.\n{MARK}---\n")),
        "{text}"
    );
    project.list_kinds(&[]);
    project.succeed("generate");
    assert!(!project.has(&base("Job")));
}

#[test]
fn descriptions_can_be_cut_or_left_out() {
    let project = Project::new(&["Job"]);
    project.kind("Job", "What it asks for. And more of it.");
    let run = project.succeed("generate --stdout --max-desc-len 20");
    assert!(
        run.stdout.contains("What it asks for.") && !run.stdout.contains("more of it"),
        "{}",
        run.stdout
    );
    let run = project.succeed("generate --stdout --max-desc-len 0");
    assert!(!run.stdout.contains("description"), "{}", run.stdout);
}

#[test]
fn a_missing_marker_is_a_conflict_with_the_line_to_paste() {
    let project = Project::new(&["Job"]);
    project.write(LIST, "resources: []\n");
    project.refused(
        "generate",
        1,
        &[
            "has no line `# +kb:scaffold:crds`",
            "- bases/batch.example.com_jobs.yaml",
        ],
    );
}

#[test]
fn the_command_works_from_a_folder_inside_the_project() {
    let project = Project::new(&["Job"]);
    crate::project::kb_rs().succeed(&project.path("api/src"), "generate");
    assert!(project.has(&base("Job")));
}

#[test]
fn programs_get_one_document() {
    let project = Project::new(&["Job"]);
    let run = project.succeed("generate --output json");
    for expected in [
        "\"outcome\": \"applied\"",
        "\"action\": \"create\"",
        &base("Job"),
    ] {
        assert!(run.stdout.contains(expected), "{}", run.stdout);
    }
}
