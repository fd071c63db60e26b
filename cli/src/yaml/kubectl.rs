//! kubectl as a third reader of what is written: `KUBEBUILDER_ASSETS`, the `PATH`, or what `make control-plane` built.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test starts a process and says when it cannot"
)]

use std::{
    env,
    io::{self, Write},
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;

/// What kubectl reads; none, and a loud line, where it is not installed.
pub(super) fn read(text: &str) -> Option<Value> {
    let Some(program) = find() else {
        // Not by a macro: the test harness would hide it.
        let skipped = "SKIPPED: kubectl is not installed, so it cannot read what was written\n";
        io::stderr().write_all(skipped.as_bytes()).unwrap();
        return None;
    };
    // With --local it needs no cluster, and knows no kinds.
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
    assert!(output.status.success(), "kubectl cannot read it");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn find() -> Option<PathBuf> {
    let given = env::var_os("KUBEBUILDER_ASSETS").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let cache = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")))
        .map(|cache| cache.join("kb-rs/control-plane"));
    let built = cache
        .and_then(|folder| folder.read_dir().ok())
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()));
    given
        .into_iter()
        .chain(env::split_paths(&path))
        .chain(built)
        .map(|folder| folder.join("kubectl"))
        .find(|program| program.is_file())
}
