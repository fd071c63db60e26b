//! A run that ends at any step, with files that come, change and go, leaves the old manifests or the new ones.

use scaffold_tests::Tree;

use crate::project::{LIST, Project, base, kb_rs};

/// Fails, but not before it has dealt with what an earlier run left.
const RECOVER: &str = "generate --header-file nowhere.txt";

/// A project in which one CRD has to go, one to change and one to come.
fn project() -> Project {
    let project = Project::new(&["Gone", "Kept"]);
    project.succeed("generate");
    project.kind("Kept", "Something else.");
    project.kind("New", "Something new.");
    project.list_kinds(&["Kept", "New"]);
    project
}

fn stopped(step: usize) -> Option<Project> {
    let project = project();
    let run = kb_rs().run(project.root(), ["--stop-at", &step.to_string(), "generate"]);
    (run.code != Some(0)).then(|| {
        assert_eq!(run.code, None, "step {step}: {}", run.stderr);
        project
    })
}

#[test]
fn generate_can_be_stopped_anywhere() {
    let tree = |project: &Project| Tree::read(project.root()).unwrap();
    let whole = project();
    let old = tree(&whole);
    whole.succeed("generate");
    let new = tree(&whole);

    let (mut undone, mut finished) = (0, 0);
    for step in 1.. {
        let Some(project) = stopped(step) else { break };
        kb_rs().run(project.root(), RECOVER.split_whitespace());
        let found = tree(&project);
        if old.difference(&found).is_none() {
            undone += 1;
        } else {
            assert_eq!(new.difference(&found), None, "stopped at step {step}");
            finished += 1;
        }
    }
    // The journal, three files staged and the last look; then four files in place.
    assert_eq!((undone, finished), (4, 6));
}

#[test]
fn a_file_that_was_to_go_and_was_edited_after_the_crash_stays() {
    let project = stopped(5).unwrap();
    assert!(
        project.has(&base("Gone")),
        "the run was past the point of no return, and had changed nothing yet"
    );
    project.write(&base("Gone"), "mine: true\n");
    kb_rs().run(project.root(), RECOVER.split_whitespace());
    assert_eq!(project.read(&base("Gone")), "mine: true\n");
    assert!(project.has(&base("New")));
    assert!(!project.read(LIST).contains("gones"));
}
