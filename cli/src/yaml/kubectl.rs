//! kubectl as a third parser, from `KUBEBUILDER_ASSETS`, `PATH` or the control plane built by `make control-plane`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test that starts a process, or prints why it was skipped"
)]

use std::{
    env,
    io::{self, Write},
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;

/// Parses a document with kubectl. Without kubectl, prints a notice and returns `None`, but fails in CI.
pub(super) fn read(text: &str) -> Option<Value> {
    let Some(program) = find() else {
        let in_ci = env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!in_ci, "kubectl is required in CI");
        // The test harness captures the output of macros.
        let skipped = "SKIPPED: kubectl is not installed\n";
        io::stderr().write_all(skipped.as_bytes()).unwrap();
        return None;
    };
    // --local requires neither a cluster nor known kinds.
    let mut child = Command::new(program)
        .args(["label", "--local", "--output=json", "--filename=-", "a=b"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(
        output.status.success(),
        "kubectl failed to parse the document"
    );
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn find() -> Option<PathBuf> {
    let assets = env::var_os("KUBEBUILDER_ASSETS").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let cache = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")))
        .map(|cache| cache.join("kb-rs/control-plane"));
    let built = cache
        .and_then(|dir| dir.read_dir().ok())
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()));
    assets
        .into_iter()
        .chain(env::split_paths(&path))
        .chain(built)
        .map(|dir| dir.join("kubectl"))
        .find(|program| program.is_file())
}
