//! Every command of kb-rs in hostile clones: nothing outside the project is written, removed or executed, and no read is unbounded.
//!
//! A clone can contain whatever an archive or a git repository can: links, pipes, journals, programs. The victim runs a command in it
//! before looking. Files outside of the clone are compared, with their modes, before and after.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write and fail"
)]

mod clones;
mod commands;
mod sandbox;

use self::{
    clones::HostileClone,
    sandbox::{Run, Sandbox},
};

/// Runs each command in a fresh copy of the clone.
fn assert_harmless(clone: &HostileClone, commands: &[&str]) {
    for command in commands {
        run(clone, command);
    }
}

fn run(clone: &HostileClone, command: &str) -> Run {
    let sandbox = Sandbox::new();
    clone.write(&sandbox);
    let before = sandbox.outside();
    let run = sandbox.run(command);
    let name = &clone.name;
    let context = format!("kb-rs {command}\nin a clone with {name}:\n{run:#?}");
    assert!(run.has_exited(), "{context}");
    assert_eq!(sandbox.outside(), before, "{context}");
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    assert!(!run.stdout.contains(is_control), "{context}");
    assert!(!run.stderr.contains(is_control), "{context}");
    run
}

#[test]
fn all_commands_are_tested() {
    let names = commands::leaf_names(&kb_rs::definition(), "");
    let is_missing = |name: &String| {
        let mut commands = commands::ALL.iter();
        !commands.any(|command| command.starts_with(name.as_str()))
    };
    let missing: Vec<String> = names.into_iter().filter(is_missing).collect();
    assert_eq!(missing, [""; 0], "add them to commands.rs");
}

#[test]
fn commands_succeed_in_a_harmless_clone() {
    for command in [
        "create api --group batch --version v1 --kind Backup",
        "generate crd --stdout",
        "version",
    ] {
        let run = run(&HostileClone::harmless(), command);
        assert_eq!(run.code, Some(0), "{command}: {run:#?}");
        assert_ne!(run.stdout, "", "{command}: {run:#?}");
    }
}

#[test]
fn links_at_staging_paths() {
    for clone in HostileClone::with_links_at_staging_paths() {
        assert_harmless(&clone, commands::ALL);
    }
}

#[test]
fn journals_with_paths_outside_the_project() {
    for clone in HostileClone::with_journals_that_lead_outside() {
        assert_harmless(&clone, commands::ALL);
    }
}

#[test]
fn linked_directories() {
    assert_harmless(&HostileClone::with_linked_directories(), commands::ALL);
}

#[test]
fn endless_files() {
    for clone in HostileClone::with_endless_files() {
        let commands = if clone.name.contains("bin/k8s") {
            commands::ENVTEST
        } else {
            commands::READING
        };
        assert_harmless(&clone, commands);
    }
}

#[test]
fn a_control_plane_in_the_clone() {
    assert_harmless(&HostileClone::with_a_control_plane(), commands::ALL);
}

#[test]
fn links_in_the_directory_of_control_planes() {
    for clone in HostileClone::with_links_in_bin_k8s() {
        assert_harmless(&clone, commands::ENVTEST);
    }
}

#[test]
fn terminal_escapes() {
    for clone in HostileClone::with_terminal_escapes() {
        assert_harmless(&clone, commands::ALL);
        for command in commands::ALL
            .iter()
            .filter(|command| command.starts_with("create") || command.starts_with("gen"))
        {
            let run = run(&clone, &format!("{command} --output json"));
            if !run.stdout.is_empty() && !command.contains("--stdout") {
                serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap();
            }
        }
    }
}
