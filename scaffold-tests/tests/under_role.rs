//! The tests of a generated project, on a control plane: the operator runs under its own generated role.
//!
//! The golden `owns` is built once, and its tests are run as they are, with a rule taken out of the role, and without a control plane.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests read, write, start processes, say how long it took, and fail"
)]

use std::{fs, path::Path, time::Instant};

use kb_envtest::Binaries;
use scaffold_tests::{Cargo, Run, Scenario, skip};

const ROLE: &str = "config/rbac/role.yaml";

/// The rule by which the operator watches what it reconciles.
const WATCHED: &str = "  - platforms\n  verbs:\n  - list\n  - watch\n";

struct Project {
    cargo: Cargo,
    folder: std::path::PathBuf,
}

impl Project {
    fn new() -> Self {
        let cargo = Cargo::new().unwrap();
        let scenarios = Scenario::all().unwrap();
        let owns = scenarios.iter().find(|scenario| scenario.name == "owns");
        let folder = cargo.project(owns.unwrap(), "owns-under-role").unwrap();
        Self { cargo, folder }
    }

    /// Runs the project's tests, with these variables.
    fn test(&self, variables: &[(&str, &Path)]) -> Run {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = self.cargo.program(Path::new(&cargo), &self.folder);
        command
            .args(["test", "--tests", "--no-fail-fast"])
            // What is skipped is printed, and not counted by `make test`.
            .env_remove("KB_SKIPPED_TESTS");
        let output = command.envs(variables.iter().copied()).output();
        Run::from(output.unwrap())
    }

    /// What `kb-rs generate rbac --report-unused` says.
    fn unused(&self) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_kb-rs-under-test"));
        let mut command = self.cargo.program(program, &self.folder);
        let output = command
            .args(["generate", "rbac", "--check", "--report-unused"])
            .output();
        let run = Run::from(output.unwrap());
        assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
        run.stderr
    }
}

#[test]
fn the_tests_of_a_project_pass_under_its_role_and_find_a_rule_that_is_missing() {
    let project = Project::new();
    project
        .cargo
        .run(&project.folder, &["test", "--quiet", "--no-run"])
        .unwrap();
    without_a_control_plane(&project);
    if let Err(error) = Binaries::find() {
        return skip(format_args!("the project's role was not tested: {error}"));
    }

    let start = Instant::now();
    let run = project.test(&[]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert!(!run.stderr.contains("SKIPPED"), "{}", run.stderr);
    eprintln!(
        "all tests of the golden `owns` took {:.1} s",
        start.elapsed().as_secs_f32()
    );
    report(&project.unused());

    let role = fs::read_to_string(project.folder.join(ROLE)).unwrap();
    let less = role.replace(WATCHED, &WATCHED.replace("  - watch\n", ""));
    assert_ne!(role, less);
    fs::write(project.folder.join(ROLE), less).unwrap();
    let run = project.test(&[]);
    assert_eq!(run.code, Some(101), "{}{}", run.stdout, run.stderr);
    let said = format!("{}{}", run.stdout, run.stderr);
    for part in [
        "watch platforms of batch.example.com",
        r#"#[kb::rbac(groups = "batch.example.com", resources = "platforms", verbs = "watch")]"#,
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

/// What is listed and watched was needed; what nothing is made of yet was not.
fn report(said: &str) {
    assert!(said.contains("src/controller/app_service.rs:"), "{said}");
    assert!(
        said.contains("no recorded call needed `get;create;patch` on `deployments`"),
        "{said}"
    );
    for needed in ["`list", "watch`", "appservices/status", "/finalizers"] {
        assert!(!said.contains(needed), "{needed}: {said}");
    }
}

fn without_a_control_plane(project: &Project) {
    let empty = tempfile::tempdir().unwrap();
    let nowhere =
        ["KB_CONTROL_PLANE_DIR", "XDG_DATA_HOME", "LOCALAPPDATA"].map(|name| (name, empty.path()));
    let variables = |ci| {
        let set = [("KUBEBUILDER_ASSETS", Path::new("")), ("CI", Path::new(ci))];
        [&nowhere[..], &set].concat()
    };
    let run = project.test(&variables("false"));
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    for part in ["SKIPPED", "kb-rs envtest use", "KUBEBUILDER_ASSETS"] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    let run = project.test(&variables("true"));
    assert_eq!(run.code, Some(101), "{}{}", run.stdout, run.stderr);
}
