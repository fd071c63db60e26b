//! Scaffolded tests run the operator under its generated role.
//!
//! Builds the golden `owns` once and runs its tests unchanged, without a rule in its role, and without a control plane.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests read, write, start processes, print durations and fail"
)]

use std::{fs, path::Path, time::Instant};

use kb_envtest::Binaries;
use scaffold_tests::{Cargo, KbRs, Run, Scenario, skip};

const ROLE: &str = "config/rbac/role.yaml";

/// The rule to watch the reconciled kind.
const WATCHED: &str = "  - platforms\n  verbs:\n  - list\n  - watch\n";

struct Project {
    cargo: Cargo,
    dir: std::path::PathBuf,
}

impl Project {
    fn new() -> Self {
        let cargo = Cargo::new().unwrap();
        let owns = Scenario::named("owns").unwrap();
        let dir = cargo.project(&owns, "owns-under-role").unwrap();
        Self { cargo, dir }
    }

    /// Runs the tests of the project with environment variables.
    fn test(&self, variables: &[(&str, &Path)]) -> Run {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = self.cargo.program(Path::new(&cargo), &self.dir);
        command
            .args(["test", "--tests", "--no-fail-fast"])
            // `make test` must not count the tests that are skipped here.
            .env_remove("KB_SKIPPED_TESTS");
        command.envs(variables.iter().copied());
        Run::of(command)
    }

    /// Returns the warnings of `kb-rs generate rbac --report-unused`.
    fn unused_rules(&self) -> String {
        let mut command = self.cargo.program(KbRs::new().path(), &self.dir);
        command.args(["generate", "rbac", "--check", "--report-unused"]);
        let run = Run::of(command);
        assert_eq!(run.code, Some(0), "{run}");
        run.stderr
    }
}

#[test]
fn scaffolded_tests_pass_under_the_role_and_find_a_missing_rule() {
    let project = Project::new();
    project
        .cargo
        .run(&project.dir, &["test", "--quiet", "--no-run"])
        .unwrap();
    without_a_control_plane(&project);
    if let Err(error) = Binaries::find() {
        return skip(format_args!("the role was not tested: {error}"));
    }

    let start = Instant::now();
    let run = project.test(&[]);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(!run.stderr.contains("SKIPPED"), "{run}");
    eprintln!(
        "all tests of the golden `owns` took {:.1} s",
        start.elapsed().as_secs_f32()
    );
    assert_unused_rules(&project.unused_rules());

    let role = fs::read_to_string(project.dir.join(ROLE)).unwrap();
    let less = role.replace(WATCHED, &WATCHED.replace("  - watch\n", ""));
    assert_ne!(role, less);
    fs::write(project.dir.join(ROLE), less).unwrap();
    let run = project.test(&[]);
    assert_eq!(run.code, Some(101), "{run}");
    let attribute = r#"#[kb::rbac("batch.example.com/platforms": watch)]"#;
    assert!(run.to_string().contains(attribute), "{run}");
}

/// The operator lists and watches Deployments, but does not create them yet.
fn assert_unused_rules(warnings: &str) {
    for unused in [
        "src/controller/app_service.rs:",
        "`get, create, patch`",
        "`deployments`",
    ] {
        assert!(warnings.contains(unused), "{unused}: {warnings}");
    }
    for used in ["`list", "watch`", "appservices/status", "/finalizers"] {
        assert!(!warnings.contains(used), "{used}: {warnings}");
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
    assert_eq!(run.code, Some(0), "{run}");
    for part in ["SKIPPED", "kb-rs envtest use", "KUBEBUILDER_ASSETS"] {
        assert!(run.stderr.contains(part), "{part}: {run}");
    }
    let run = project.test(&variables("true"));
    assert_eq!(run.code, Some(101), "{run}");
}
