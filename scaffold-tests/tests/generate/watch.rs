//! `generate --watch` writes after each change, survives mistakes, and ends when its process does.

use std::{
    fs,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use scaffold_tests::KbRs;

use crate::api_project::{ApiProject, ROLE, crd, source};

/// A process that is killed at the end of the test.
struct Watch(Child);

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[track_caller]
fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !condition() {
        assert!(Instant::now() < deadline, "timed out: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn watch_writes_after_each_change_and_survives_mistakes() {
    let project = ApiProject::new(&["Job"]);
    let [stdout, stderr] = ["out.txt", "err.txt"].map(|name| project.path(name));
    let child = KbRs::new()
        .command(project.root())
        .args(["generate", "--watch"])
        .stdout(fs::File::create(&stdout).unwrap())
        .stderr(fs::File::create(&stderr).unwrap())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let mut watch = Watch(child);
    wait_until("the first run writes", || project.exists(&crd("Job")));

    let has = |text: &str| project.read(&crd("Job")).contains(text);
    project.write_kind("Job", "Second text.");
    wait_until("a change is written", || has("Second text."));

    project.misspell_marker();
    wait_until("a mistake is reported", || {
        project.read("err.txt").contains("minimun")
    });
    assert_eq!(watch.0.try_wait().unwrap(), None, "watching continues");

    project.write_kind("Job", "Third text.");
    wait_until("the fixed source is written", || has("Third text."));

    project.write_kind("Task", "A new kind.");
    project.list_kinds(&["Job", "Task"]);
    wait_until("a new kind is written", || project.exists(&crd("Task")));

    let rule =
        "#[kb::rbac(groups = \"core\", resources = \"pods\", verbs = \"get\")]\nfn work() {}\n";
    project.append(&source("Job"), rule);
    wait_until("a new rule is written", || {
        project.read(ROLE).contains("pods")
    });
    drop(watch);

    let first = project.read("out.txt").lines().next().unwrap().to_owned();
    project.assert_snapshot("watch", &first);
}
