//! An interrupted run that creates, changes and removes files leaves the old manifests or the new ones.

use crate::api_project::{ApiProject, KUSTOMIZATION, crd};

/// Fails, but only after recovery from an interrupted run.
const RECOVER: &str = "generate --header-file nowhere.txt";

/// Returns a project in which one CRD is to be removed, one to be changed and one to be created.
fn project() -> ApiProject {
    let project = ApiProject::new(&["Gone", "Kept"]);
    project.succeed("generate");
    project.write_kind("Kept", "Something else.");
    project.write_kind("New", "Something new.");
    project.list_kinds(&["Kept", "New"]);
    project
}

/// Returns a project in which `generate` was killed at a step; none if it has fewer steps.
fn interrupted(step: usize) -> Option<ApiProject> {
    let project = project();
    let run = project.run(["--stop-at", &step.to_string(), "generate"]);
    (run.code != Some(0)).then(|| {
        assert_eq!(run.code, None, "step {step}: {run}");
        project
    })
}

#[test]
fn generate_can_be_interrupted_at_every_step() {
    let complete = project();
    let old = complete.tree();
    complete.succeed("generate");
    let new = complete.tree();

    let (mut rolled_back, mut completed) = (0, 0);
    for step in 1.. {
        let Some(project) = interrupted(step) else {
            break;
        };
        project.run(RECOVER.split_whitespace());
        if old == project.tree() {
            rolled_back += 1;
        } else {
            let difference = new.difference(&project.tree());
            assert_eq!(difference, None, "interrupted at step {step}");
            completed += 1;
        }
    }
    // Rolled back before the commit: after the journal and three staging files.
    assert_eq!((rolled_back, completed), (4, 6));
}

#[test]
fn recovery_keeps_a_file_that_was_edited_after_the_crash() {
    let project = interrupted(5).unwrap();
    let gone = crd("Gone");
    assert!(
        project.exists(&gone),
        "committed, but nothing was changed yet"
    );
    project.write(&gone, "mine: true\n");
    project.run(RECOVER.split_whitespace());
    assert_eq!(project.read(&gone), "mine: true\n");
    assert!(project.exists(&crd("New")));
    assert!(!project.read(KUSTOMIZATION).contains("gones"));
}
