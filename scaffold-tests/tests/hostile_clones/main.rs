//! Every command of kb-rs on clones that mean harm: nothing outside the project is written, removed, executed or read without bounds.
//!
//! A clone can hold anything that an archive or a git repository can: links, pipes, journals, programs. A victim runs a command in it
//! before looking. Around each clone lie files that are none of its business; they are compared, with their modes, before and after.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

mod calls;
mod clones;
mod ground;

use self::{
    calls::CALLS,
    clones::HostileClone,
    ground::{Ground, Run},
};

/// Runs the calls in fresh copies of the clone.
fn is_harmless(clone: &HostileClone, calls: &[&str]) {
    for call in calls {
        run(clone, call);
    }
}

fn run(clone: &HostileClone, call: &str) -> Run {
    let ground = Ground::new();
    clone.make(&ground);
    let before = ground.outside();
    let run = ground.run(call);
    let name = &clone.name;
    let context = format!("kb-rs {call}\nin a clone with {name}:\n{run:#?}");
    assert!(run.has_ended_by_itself(), "{context}");
    assert_eq!(ground.outside(), before, "{context}");
    let is_acted_on = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    assert!(!run.stdout.contains(is_acted_on), "{context}");
    assert!(!run.stderr.contains(is_acted_on), "{context}");
    run
}

#[test]
fn the_calls_cover_every_command() {
    let mut missing = Vec::new();
    calls::for_each_command(&kb_rs::definition(), "", &mut |command| {
        if !CALLS.iter().any(|call| call.starts_with(command)) {
            missing.push(command.to_owned());
        }
    });
    assert_eq!(missing, [""; 0], "add a call of each to calls.rs");
}

#[test]
fn without_malice_the_calls_do_something() {
    for (call, expected) in [
        (
            "create api --group batch --version v1 --kind Backup",
            "modify PROJECT",
        ),
        ("generate crd --stdout", "CustomResourceDefinition"),
        ("version", "kb-rs"),
    ] {
        let run = run(&HostileClone::harmless(), call);
        assert!(run.stdout.contains(expected), "{call}: {run:#?}");
    }
}

#[test]
fn links_at_staging_names() {
    for clone in HostileClone::with_links_at_staging_names() {
        is_harmless(&clone, CALLS);
    }
}

#[test]
fn journals_that_lead_outside() {
    for clone in HostileClone::with_journals_that_lead_outside() {
        is_harmless(&clone, CALLS);
    }
}

#[test]
fn folders_behind_links() {
    is_harmless(&HostileClone::with_folders_behind_links(), CALLS);
}

#[test]
fn endless_files() {
    for clone in HostileClone::with_endless_files() {
        let is_of_envtest = clone.name.contains("bin/k8s");
        is_harmless(
            &clone,
            if is_of_envtest {
                calls::ENVTEST
            } else {
                calls::READING
            },
        );
    }
}

#[test]
fn a_control_plane_of_its_own() {
    let clone = HostileClone::with_a_control_plane();
    is_harmless(&clone, CALLS);
}

#[test]
fn links_in_the_folder_of_control_planes() {
    for clone in HostileClone::with_links_in_bin_k8s() {
        is_harmless(&clone, calls::ENVTEST);
    }
}

#[test]
fn terminal_escapes() {
    for clone in HostileClone::with_terminal_escapes() {
        is_harmless(&clone, CALLS);
        for call in CALLS
            .iter()
            .filter(|call| call.starts_with("create") || call.starts_with("gen"))
        {
            let run = run(&clone, &format!("{call} --output json"));
            if !run.stdout.is_empty() && !call.contains("--stdout") {
                serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap();
            }
        }
    }
}
