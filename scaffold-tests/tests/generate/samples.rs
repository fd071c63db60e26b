//! Samples follow their types, for as long as nobody has touched them.

use std::{fs, path::PathBuf};

use scaffold_tests::{Run, Tree};
use tempfile::TempDir;

use crate::project::kb_rs;

const SAMPLE: &str = "config/samples/batch_v1_job.yaml";
const CRD: &str = "config/crd/bases/batch.example.com_jobs.yaml";
const SOURCE: &str = "api/src/v1/job.rs";

/// A project as `create api` leaves it.
struct Project(TempDir);

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        project.run("init --domain example.com --project-name demo");
        project.run("create api --group batch --version v1 --kind Job --controller=false");
        project
    }

    #[track_caller]
    fn run(&self, command: &str) -> Run {
        kb_rs().succeed(self.0.path(), command)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.path(path), text).unwrap();
    }

    /// Gives the type these fields.
    fn fields(&self, fields: &str) {
        self.write(
            SOURCE,
            &format!(
                "//! A kind.\n\n/// What it asks for.\n#[kb::resource(group = \"batch.example.com\", version = \"v1\", kind = \"Job\")]\npub struct JobSpec {{\n{fields}\n}}\n"
            ),
        );
    }

    /// What the sample says after its metadata, once it has been generated twice.
    #[track_caller]
    fn generated(&self) -> String {
        self.run("generate");
        let sample = self.read(SAMPLE);
        let again = self.run("generate");
        assert!(
            again.stderr.contains("nothing to change"),
            "{}",
            again.stdout
        );
        self.run("generate --check");
        let (_, fields) = sample.split_once("managed-by: kustomize\n").unwrap();
        fields.to_owned()
    }
}

#[test]
fn what_create_api_writes_is_what_the_type_leads_to() {
    let project = Project::new();
    let before = project.read(SAMPLE);
    assert!(before.ends_with("\nspec:\n  foo: bar\n"), "{before}");
    project.run("generate");
    assert_eq!(project.read(SAMPLE), before);
}

#[test]
fn an_untouched_sample_follows_its_type_from_one_generation_to_the_next() {
    let project = Project::new();
    for (fields, expected) in [
        ("pub image: String,", "spec:\n  image: image\n"),
        (
            "pub image: String, #[kb(minimum = 3)] pub replicas: i32,",
            "spec:\n  image: image\n  replicas: 3\n",
        ),
        (
            "pub image: String, #[kb(minimum = 5)] pub replicas: i32,",
            "spec:\n  image: image\n  replicas: 5\n",
        ),
        (
            "pub image: Option<String>, #[kb(default = 7)] pub replicas: i32,",
            "spec:\n  replicas: 7\n",
        ),
        (
            "#[kb(example = \"yes\")] pub image: Option<String>,",
            "spec:\n  image: \"yes\"\n",
        ),
        ("pub image: Option<String>,", "spec: {}\n"),
    ] {
        project.fields(fields);
        assert_eq!(project.generated(), expected, "{fields}");
    }
}

#[test]
fn a_type_that_is_edited_before_the_first_run_has_its_sample() {
    let project = Project::new();
    project.fields("pub hosts: Vec<String>,");
    assert!(!project.path(CRD).exists());
    assert_eq!(project.generated(), "spec:\n  hosts:\n  - hosts\n");
}

#[test]
fn a_sample_that_was_touched_stays_byte_for_byte() {
    let project = Project::new();
    let scaffolded = project.read(SAMPLE);
    for touched in [
        format!("# Mine.\n{scaffolded}"),
        scaffolded.replace("bar", "baz"),
        format!("{scaffolded}\n"),
        String::new(),
    ] {
        project.write(SAMPLE, &touched);
        for fields in ["pub one: String,", "pub two: String,"] {
            project.fields(fields);
            let run = project.run("generate");
            assert!(run.stdout.contains(CRD), "{}", run.stdout);
            assert!(!run.stdout.contains(SAMPLE), "{}", run.stdout);
            assert_eq!(project.read(SAMPLE), touched);
        }
    }
}

#[test]
fn a_sample_that_was_removed_stays_away() {
    let project = Project::new();
    fs::remove_file(project.path(SAMPLE)).unwrap();
    project.fields("pub one: String,");
    project.run("generate");
    assert!(!project.path(SAMPLE).exists());
    project.fields("pub two: String,");
    project.run("generate");
    assert!(!project.path(SAMPLE).exists());
}

#[test]
fn a_check_names_a_stale_sample_and_a_dry_run_writes_none() {
    let project = Project::new();
    project.run("generate");
    project.fields("pub one: String,");
    let before = Tree::read(project.0.path()).unwrap();
    let check = kb_rs().refused(
        project.0.path(),
        "generate --check --dry-run",
        1,
        &["2 files are not up to date"],
    );
    assert!(
        check.stdout.contains(&format!("modify {SAMPLE}")),
        "{}",
        check.stdout
    );
    let shown = project.run("generate crd --diff");
    assert!(shown.stdout.contains("+  one: one"), "{}", shown.stdout);
    assert_eq!(Tree::read(project.0.path()).unwrap(), before);
}

#[test]
fn the_ends_of_lines_are_not_a_touch_and_stay() {
    let project = Project::new();
    project.write(SAMPLE, &project.read(SAMPLE).replace('\n', "\r\n"));
    project.fields("pub one: String,");
    let expected = "spec:\r\n  one: one\r\n";
    project.run("generate");
    let sample = project.read(SAMPLE);
    assert!(sample.ends_with(expected), "{sample:?}");
    assert_eq!(sample.matches('\n').count(), sample.matches("\r\n").count());
}

#[test]
fn each_version_has_a_sample_of_its_own() {
    let project = Project::new();
    project.fields("pub one: String,");
    project.run("generate");
    project.run("create api --group batch --version v2 --kind Job --controller=false");
    let path = "api/src/v2/job.rs";
    let field = "#[kb(lossy = \"new\")] pub two: i32,";
    let text = project
        .read(path)
        .replace("pub one", &format!("{field} pub one"));
    project.write(path, &text);
    project.run("generate");
    let sample = project.read("config/samples/batch_v2_job.yaml");
    assert!(
        sample.starts_with("apiVersion: batch.example.com/v2\n")
            && sample.ends_with("\nspec:\n  one: one\n  two: 1\n"),
        "{sample}"
    );
    assert!(project.read(SAMPLE).ends_with("\nspec:\n  one: one\n"));
}

#[test]
fn crds_for_another_folder_have_no_samples() {
    let project = Project::new();
    let before = project.read(SAMPLE);
    project.fields("pub one: String,");
    project.run("generate crd --output-dir out");
    assert_eq!(project.read(SAMPLE), before);
}

#[test]
fn samples_of_two_versions_are_two_objects() {
    let project = Project::new();
    project.run("create api --group batch --version v2 --kind Job --controller=false");
    for _ in 0..2 {
        for (path, name) in [
            (SAMPLE, "job-sample"),
            ("config/samples/batch_v2_job.yaml", "job-v2-sample"),
        ] {
            let text = project.read(path);
            assert!(text.contains(&format!("\n  name: {name}\n")), "{text}");
        }
        // Samples that follow their types keep their names.
        for path in [SOURCE, "api/src/v2/job.rs"] {
            let text = project.read(path).replace("\"bar\"", "\"baz\"");
            project.write(path, &text);
        }
        project.run("generate");
        assert!(project.read(SAMPLE).ends_with("foo: baz\n"));
    }
}
