//! `generate rbac --report-unused`: RBAC rules that no test needed.

use crate::api_project::ApiProject;

const COMMAND: &str = "generate rbac --report-unused --target-dir target";

const CALLS: &str = "target/kb-rs/calls/demo/app-demo-system.json";

const LIB: &str = "\
#[kb::rbac(\"apps/deployments\": get, list)]
#[kb::rbac(
    groups = \"core\",
    resources = \"secrets\",
    verbs = \"get\",
    namespace = \"system\",
    reason = \"the key is read\"
)]
struct Controller;
";

fn project() -> ApiProject {
    let project = ApiProject::new(&[]);
    project.append("api/src/lib.rs", &format!("\n{LIB}"));
    project
}

#[test]
fn rules_that_no_call_needed_are_reported_with_their_position() {
    let project = project();
    project.write(
        CALLS,
        r#"{"namespace": "demo-system", "calls": [{"verb": "list", "group": "apps", "resource": "deployments"}]}"#,
    );
    project.assert_output("unused_rules", COMMAND);
    project.write(
        "target/kb-rs/calls/demo/other-x.json",
        r#"{"namespace": "x", "calls": [
        {"verb": "get", "group": "apps", "resource": "deployments", "namespace": "a", "name": "d"},
        {"verb": "get", "group": "", "resource": "secrets", "namespace": "x", "name": "s"}]}"#,
    );
    project.assert_unchanged("no_unused_rules", COMMAND);
}

#[test]
fn missing_and_malformed_recordings_are_reported() {
    let project = project();
    project.assert_output("no_recordings", COMMAND);
    project.write(CALLS, "[]");
    project.assert_unchanged("malformed_recording", COMMAND);
}
