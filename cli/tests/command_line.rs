//! Help texts, completion, version and terminal handling.
//!
//! `SNAPSHOTS=overwrite cargo test -p kb-rs --test command_line` rewrites the snapshots.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests start processes and may panic"
)]

use std::process::{Command, Output};

use snapbox::{assert_data_eq, file};

fn kb_rs(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kb-rs"))
        .args(arguments)
        .env("COLUMNS", "100")
        .output()
        .unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = kb_rs(arguments);
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn help_texts() {
    assert_data_eq!(stdout(&["--help"]), file!["snapshots/help.txt"]);
    assert_data_eq!(stdout(&["init", "--help"]), file!["snapshots/init.txt"]);
    assert_data_eq!(stdout(&["create", "--help"]), file!["snapshots/create.txt"]);
    assert_data_eq!(
        stdout(&["create", "api", "--help"]),
        file!["snapshots/create-api.txt"]
    );
    assert_data_eq!(
        stdout(&["delete", "api", "--help"]),
        file!["snapshots/delete-api.txt"]
    );
    assert_data_eq!(stdout(&["edit", "--help"]), file!["snapshots/edit.txt"]);
    assert_data_eq!(
        stdout(&["generate", "--help"]),
        file!["snapshots/generate.txt"]
    );
    assert_data_eq!(
        stdout(&["envtest", "--help"]),
        file!["snapshots/envtest.txt"]
    );
    assert_data_eq!(
        stdout(&["envtest", "list", "--help"]),
        file!["snapshots/envtest-list.txt"]
    );
    assert_data_eq!(
        stdout(&["envtest", "use", "--help"]),
        file!["snapshots/envtest-use.txt"]
    );
    assert_data_eq!(
        stdout(&["envtest", "path", "--help"]),
        file!["snapshots/envtest-path.txt"]
    );
    assert_data_eq!(
        stdout(&["envtest", "run", "--help"]),
        file!["snapshots/envtest-run.txt"]
    );
    assert_data_eq!(
        stdout(&["envtest", "cleanup", "--help"]),
        file!["snapshots/envtest-cleanup.txt"]
    );
    assert_data_eq!(
        stdout(&["completion", "--help"]),
        file!["snapshots/completion.txt"]
    );
    assert_data_eq!(
        stdout(&["version", "--help"]),
        file!["snapshots/version.txt"]
    );
}

#[test]
fn generates_completion_scripts() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(&["completion", shell]);
        assert!(script.contains("external-api-path"), "{shell}");
    }
    assert_eq!(kb_rs(&["completion", "tcsh"]).status.code(), Some(2));
}

#[test]
fn prints_the_package_version() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(stdout(&["--version"]), format!("kb-rs {version}\n"));
    assert!(stdout(&["version"]).starts_with(&format!("kb-rs      {version}\n")));
    let document: serde_json::Value =
        serde_json::from_str(&stdout(&["version", "--output", "json"])).unwrap();
    assert_eq!(document["kb-rs"], version);
}

#[test]
fn invalid_arguments_exit_with_2() {
    for arguments in [
        &[][..],
        &["inti"],
        &["create", "api"],
        &["create", "api", "--kind"],
    ] {
        assert_eq!(kb_rs(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn prints_no_color_outside_a_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_kb-rs"))
        .args([
            "init",
            "--domain",
            "example.com",
            "--project-name",
            "demo",
            "--diff",
        ])
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(!output.stdout.contains(&0x1b));
    assert!(!output.stderr.contains(&0x1b));
}

/// Runs a command in a terminal with `input` on standard input.
#[cfg(target_os = "linux")]
fn run_in_terminal(
    dir: &std::path::Path,
    command: &str,
    input: &str,
    no_color: bool,
) -> Option<String> {
    use std::{io::Write, process::Stdio};

    let mut script = Command::new("script");
    script
        .args(["--quiet", "--return", "--command"])
        .arg(format!("{} {command}", env!("CARGO_BIN_EXE_kb-rs")))
        .arg("/dev/null")
        .current_dir(dir)
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    if no_color {
        script.env("NO_COLOR", "1");
    }
    let Ok(mut child) = script.spawn() else {
        let ci = std::env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!ci, "`script` is required in CI to emulate a terminal");
        return None;
    };
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    Some(String::from_utf8(output.stdout).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn prompts_for_missing_values() {
    let dir = tempfile::tempdir().unwrap();
    let init = "init --project-name demo";
    let Some(shown) = run_in_terminal(dir.path(), init, "example.com\n", false) else {
        return;
    };
    assert!(shown.contains('\u{1b}'), "color in a terminal:\n{shown}");

    let create = "create api --group core --version v1 --kind ConfigMap";
    let shown = run_in_terminal(dir.path(), create, "perhaps\nn\n\n", true).unwrap();
    // Repeats the first question after an invalid answer.
    assert_eq!(shown.matches("[Y/n]").count(), 3, "{shown}");
    assert!(
        !shown.contains('\u{1b}'),
        "no color with NO_COLOR:\n{shown}"
    );
    assert!(dir.path().join("src/controller/config_map.rs").exists());
    assert!(!dir.path().join("api").exists());
}
