//! A disk that refuses leaves the tree as it was.
//!
//! The faults are real ones, made with the system's own means; where those are missing the test says so, and fails in CI.
#![cfg(target_os = "linux")]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write, start processes and say what they skip"
)]

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
    process::Command,
};

use scaffold_tests::{KbRs, Run, Tree, skip};

fn kb_rs() -> KbRs {
    KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test"))
}

/// Runs a program; none if it cannot do what it is asked for.
fn shell(script: &str, arguments: &[&Path]) -> Run {
    let output = Command::new("sh")
        .arg("-c")
        .arg(script)
        .arg("sh")
        .args(arguments)
        .output();
    Run::from(output.unwrap())
}

#[test]
fn a_read_only_folder_is_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    kb_rs().succeed(
        folder.path(),
        "init --domain example.com --project-name demo",
    );
    let before = Tree::read(folder.path()).unwrap();
    let controllers = folder.path().join("src/controller");

    let create = "create api --group batch --version v1 --kind AppService";
    let run = if fs::metadata(folder.path()).unwrap().uid() == 0 {
        // Permissions do not bind root: become somebody else.
        if Command::new("setpriv").arg("--version").output().is_err() {
            return skip("running as root, and there is no setpriv to become another user");
        }
        // The binary's own folder may be closed to others.
        let binary = folder.path().join("kb-rs");
        fs::copy(kb_rs().path(), &binary).unwrap();
        let script = format!(
            "chown -R 65534:65534 \"$1\" && chmod 0755 \"$1\" && chmod 0555 \"$2\" && cd \"$1\" && \
             setpriv --reuid 65534 --regid 65534 --clear-groups ./kb-rs {create}; code=$?; \
             chmod 0755 \"$2\"; rm ./kb-rs; exit $code"
        );
        shell(&script, &[folder.path(), &controllers])
    } else {
        fs::set_permissions(&controllers, fs::Permissions::from_mode(0o555)).unwrap();
        let run = kb_rs().run(folder.path(), create.split_whitespace());
        fs::set_permissions(&controllers, fs::Permissions::from_mode(0o755)).unwrap();
        run
    };

    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    for expected in [
        "src/controller/app_service.rs",
        "permission denied",
        "nothing was changed",
    ] {
        assert!(
            run.stderr.contains(expected),
            "no {expected:?} in:\n{}",
            run.stderr
        );
    }
    assert_eq!(before.difference(&Tree::read(folder.path()).unwrap()), None);
}

#[test]
fn a_full_disk_is_named_and_nothing_is_left_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let isolated = "unshare --mount --map-root-user";
    let mount = format!("{isolated} sh -c 'mount -t tmpfs -o size=64k tmpfs \"$1\"' sh \"$1\"");
    if shell(&mount, &[folder.path()]).code != Some(0) {
        return skip("no small file system can be mounted here (unshare, mount -t tmpfs)");
    }
    // 64 KiB hold some of the files of a project, but not all.
    let script = format!(
        "{isolated} sh -c 'mount -t tmpfs -o size=64k tmpfs \"$1\" && cd \"$1\" && \
         \"$2\" init --domain example.com --project-name demo; code=$?; ls -A \"$1\"; exit $code' sh \"$1\" \"$2\""
    );
    let run = shell(&script, &[folder.path(), kb_rs().path()]);

    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    for expected in ["no space left on device", "nothing was changed"] {
        assert!(
            run.stderr.contains(expected),
            "no {expected:?} in:\n{}",
            run.stderr
        );
    }
    assert_eq!(run.stdout, "", "something is left");
}
