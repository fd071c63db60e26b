//! Failed writes leave the tree unchanged.
//!
//! The faults are real: a read-only directory and a full file system. Where they cannot be provoked, the test is skipped, which fails in CI.
#![cfg(target_os = "linux")]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write, start processes and fail"
)]

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
    process::Command,
};

use scaffold_tests::{KbRs, Project, Run, skip};

fn shell(script: &str, arguments: &[&Path]) -> Run {
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]).args(arguments);
    Run::of(command)
}

#[test]
fn a_read_only_directory_is_reported_and_nothing_is_written() {
    let project = Project::new("init --domain example.com --project-name demo");
    let before = project.tree();
    let controllers = project.path("src/controller");

    let create = "create api --group batch --version v1 --kind AppService";
    let run = if fs::metadata(project.root()).unwrap().uid() == 0 {
        // Permissions do not apply to root.
        if Command::new("setpriv").arg("--version").output().is_err() {
            return skip("running as root, and there is no setpriv to become another user");
        }
        // The directory of the binary may not be accessible to others.
        fs::copy(KbRs::new().path(), project.path("kb-rs")).unwrap();
        let script = format!(
            "chown -R 65534:65534 \"$1\" && chmod 0755 \"$1\" && chmod 0555 \"$2\" && cd \"$1\" && \
             setpriv --reuid 65534 --regid 65534 --clear-groups ./kb-rs {create}; code=$?; \
             chmod 0755 \"$2\"; rm ./kb-rs; exit $code"
        );
        shell(&script, &[project.root(), &controllers])
    } else {
        fs::set_permissions(&controllers, fs::Permissions::from_mode(0o555)).unwrap();
        let run = project.run(create.split_whitespace());
        fs::set_permissions(&controllers, fs::Permissions::from_mode(0o755)).unwrap();
        run
    };

    assert_eq!(run.code, Some(1), "{run}");
    project.assert_snapshot("read_only_directory", &run.to_string());
    assert_eq!(before.difference(&project.tree()), None);
}

#[test]
fn a_full_disk_is_reported_and_nothing_is_left_on_it() {
    let project = Project::empty();
    let isolated = "unshare --mount --map-root-user";
    let mount = format!("{isolated} sh -c 'mount -t tmpfs -o size=64k tmpfs \"$1\"' sh \"$1\"");
    if shell(&mount, &[project.root()]).code != Some(0) {
        return skip("cannot mount a small file system (unshare, mount -t tmpfs)");
    }
    // 64 KiB hold some of the files of a project, but not all.
    let script = format!(
        "{isolated} sh -c 'mount -t tmpfs -o size=64k tmpfs \"$1\" && cd \"$1\" && \
         KB_SOURCE=registry \"$2\" init --domain example.com --project-name demo; code=$?; ls -A \"$1\"; exit $code' sh \"$1\" \"$2\""
    );
    let run = shell(&script, &[project.root(), KbRs::new().path()]);
    assert_eq!(run.code, Some(1), "{run}");
    assert_eq!(run.stdout, "", "files are left");
    // The file depends on the sizes of templates.
    let words = run.stderr.split(' ').map(|word| match word {
        path if Path::new(path).is_absolute() => "[FILE]:",
        word => word,
    });
    let stderr = words.collect::<Vec<_>>().join(" ");
    project.assert_snapshot("full_disk", &stderr);
}
