//! `--watch` writes again after a change, survives mistakes, and ends when its process does.

use std::{
    fs,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::project::{Project, ROLE, base, kb_rs, source};

/// A watch that ends with the test.
struct Watch(Child);

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[track_caller]
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_watch_writes_after_each_change_and_survives_mistakes() {
    let project = Project::new(&["Job"]);
    let (stdout, stderr) = (project.path("out.txt"), project.path("err.txt"));
    let child = Command::new(kb_rs().path())
        .args(["generate", "--watch"])
        .current_dir(project.root())
        .stdout(fs::File::create(&stdout).unwrap())
        .stderr(fs::File::create(&stderr).unwrap())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let mut watch = Watch(child);
    wait_until("the first run writes", || project.has(&base("Job")));

    project.kind("Job", "Second text.");
    wait_until("a change is written", || {
        project.read(&base("Job")).contains("Second text.")
    });

    let right = project.read(&source("Job"));
    project.write(
        &source("Job"),
        &right.replace(
            "    pub replicas",
            "    #[kb(minimun = 1)]\n    pub replicas",
        ),
    );
    wait_until("a mistake is shown", || {
        fs::read_to_string(&stderr).unwrap().contains("minimun")
    });
    assert_eq!(watch.0.try_wait().unwrap(), None, "the watch goes on");

    project.kind("Job", "Third text.");
    wait_until("the mended source is written", || {
        project.read(&base("Job")).contains("Third text.")
    });

    project.kind("Task", "A new kind.");
    project.list_kinds(&["Job", "Task"]);
    wait_until("a new kind is written", || project.has(&base("Task")));

    let rule =
        "#[kb::rbac(groups = \"core\", resources = \"pods\", verbs = \"get\")]\nfn work() {}\n";
    project.write(&source("Job"), &(project.read(&source("Job")) + rule));
    wait_until("a new rule is written", || {
        project.read(ROLE).contains("pods")
    });
    drop(watch);

    let said = fs::read_to_string(&stdout).unwrap();
    let first = said.lines().next().unwrap();
    assert_eq!(
        first,
        format!(
            "create {}, modify config/crd/kustomization.yaml, create config/rbac/role.yaml",
            base("Job")
        )
    );
    assert!(
        said.contains(&format!("\nmodify {}\n", base("Job"))),
        "{said}"
    );
}
