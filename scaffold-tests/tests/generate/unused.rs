//! Rules that no test needed: what is read, and what is said.

use scaffold_tests::Run;

use crate::project::{Project, kb_rs};

const COMMAND: &str = "generate rbac --report-unused --target-dir target";

const CALLS: &str = "target/kb-rs/calls/demo/app-demo-system.json";

const LIB: &str = "\
#[kb::rbac(groups = \"apps\", resources = \"deployments\", verbs = \"get;list\")]
#[kb::rbac(
    groups = \"core\",
    resources = \"secrets\",
    verbs = \"get\",
    namespace = \"system\",
    reason = \"the key is read\"
)]
struct Controller;
";

fn project() -> Project {
    let project = Project::new(&[]);
    let lib = project.read("api/src/lib.rs");
    project.write("api/src/lib.rs", &format!("{lib}\n{LIB}"));
    project
}

fn report(project: &Project) -> Run {
    let run = kb_rs().run(project.root(), COMMAND.split(' '));
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    run
}

#[test]
fn rules_that_no_call_needed_are_named_with_their_place() {
    let project = project();
    project.write(
        CALLS,
        r#"{"namespace": "demo-system", "calls": [{"verb": "list", "group": "apps", "resource": "deployments"}]}"#,
    );
    let said = report(&project).stderr;
    for expected in [
        "warning: no recorded call needed `get` on `deployments`",
        "api/src/lib.rs:12:56",
        "warning: no recorded call needed this rule",
        "api/src/lib.rs:16:5",
        "test the code that needs it",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }

    let more = r#"{"namespace": "x", "calls": [
        {"verb": "get", "group": "apps", "resource": "deployments", "namespace": "a", "name": "d"},
        {"verb": "get", "group": "", "resource": "secrets", "namespace": "x", "name": "s"}]}"#;
    project.write("target/kb-rs/calls/demo/other-x.json", more);
    let said = report(&project).stderr;
    assert!(!said.contains("no recorded call"), "{said}");
}

#[test]
fn without_recordings_it_is_said_how_to_get_them() {
    let project = project();
    let said = report(&project).stderr;
    assert!(said.contains("no test has recorded its calls in"), "{said}");
    assert!(said.contains("run `cargo test` first"), "{said}");
    assert!(!said.contains("no recorded call"), "{said}");
}

#[test]
fn what_is_no_recording_is_passed_over_with_a_note() {
    let project = project();
    project.write(CALLS, "[]");
    let said = report(&project).stderr;
    assert!(
        said.contains("app-demo-system.json is no recording of a test"),
        "{said}"
    );
}

#[test]
fn only_rules_can_be_unused() {
    project().refused(
        "generate crd --report-unused",
        2,
        &["--report-unused has no meaning"],
    );
}
