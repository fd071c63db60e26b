//! Samples follow their types until the user edits them.

use std::ops::Deref;

use scaffold_tests::Project;

const SAMPLE: &str = "config/samples/batch_v1_job.yaml";
const CRD: &str = "config/crd/bases/batch.example.com_jobs.yaml";
const SOURCE: &str = "api/src/v1/job.rs";

/// A project with the kind Job, as scaffolded by `create api`.
struct JobProject(Project);

impl Deref for JobProject {
    type Target = Project;

    fn deref(&self) -> &Project {
        &self.0
    }
}

impl JobProject {
    fn new() -> Self {
        Self(Project::new(
            "init --domain example.com --project-name demo
            create api --group batch --version v1 --kind Job --controller=false",
        ))
    }

    /// Replaces the fields of the type.
    fn write_fields(&self, fields: &str) {
        self.write(
            SOURCE,
            &format!(
                "//! A kind.\n\n/// Desired state.\n#[kb::resource(group = \"batch.example.com\", version = \"v1\", kind = \"Job\")]\npub struct JobSpec {{\n{fields}\n}}\n"
            ),
        );
    }

    /// Generates twice and returns the sample after its metadata.
    #[track_caller]
    fn generated_fields(&self) -> String {
        self.succeed("generate");
        let generated = self.tree();
        self.succeed("generate\ngenerate --check");
        assert_eq!(self.tree(), generated, "the second run changed a file");
        let sample = self.read(SAMPLE);
        let (_, fields) = sample.split_once("managed-by: kustomize\n").unwrap();
        fields.to_owned()
    }
}

#[test]
fn create_api_and_generate_write_the_same_sample() {
    let project = JobProject::new();
    let before = project.read(SAMPLE);
    assert!(before.ends_with("\nspec:\n  foo: bar\n"), "{before}");
    project.remove(CRD);
    project.succeed("generate");
    assert_eq!(project.read(SAMPLE), before);
}

#[test]
fn an_unedited_sample_follows_its_type() {
    let project = JobProject::new();
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
        project.write_fields(fields);
        assert_eq!(project.generated_fields(), expected, "{fields}");
    }
}

#[test]
fn a_type_edited_before_the_first_run_gets_a_sample() {
    let project = JobProject::new();
    project.write_fields("pub hosts: Vec<String>,");
    project.remove(CRD);
    assert_eq!(project.generated_fields(), "spec:\n  hosts:\n  - hosts\n");
}

#[test]
fn an_edited_sample_stays_byte_for_byte() {
    let project = JobProject::new();
    let scaffolded = project.read(SAMPLE);
    for edited in [
        format!("# Mine.\n{scaffolded}"),
        scaffolded.replace("bar", "baz"),
        format!("{scaffolded}\n"),
        String::new(),
    ] {
        project.write(SAMPLE, &edited);
        for fields in ["pub one: String,", "pub two: String,"] {
            project.write_fields(fields);
            let run = project.succeed("generate");
            assert!(run.stdout.contains(CRD), "{}", run.stdout);
            assert!(!run.stdout.contains(SAMPLE), "{}", run.stdout);
            assert_eq!(project.read(SAMPLE), edited);
        }
    }
}

#[test]
fn a_removed_sample_is_not_created_again() {
    let project = JobProject::new();
    project.remove(SAMPLE);
    project.write_fields("pub one: String,");
    project.succeed("generate");
    assert!(!project.exists(SAMPLE));
    project.write_fields("pub two: String,");
    project.succeed("generate");
    assert!(!project.exists(SAMPLE));
}

#[test]
fn check_and_diff_include_samples() {
    let project = JobProject::new();
    project.write_fields("pub zero: String,");
    project.succeed("generate");
    project.write_fields("pub one: String,");
    project.assert_rejected("stale_sample", 1, "generate --check --dry-run");
    project.assert_unchanged("diff_of_a_sample", "generate crd --diff");
}

#[test]
fn line_endings_are_not_an_edit_and_are_kept() {
    let project = JobProject::new();
    project.write(SAMPLE, &project.read(SAMPLE).replace('\n', "\r\n"));
    project.write_fields("pub one: String,");
    let expected = "spec:\r\n  one: one\r\n";
    project.succeed("generate");
    let sample = project.read(SAMPLE);
    assert!(sample.ends_with(expected), "{sample:?}");
    assert_eq!(sample.matches('\n').count(), sample.matches("\r\n").count());
}

#[test]
fn each_version_has_its_own_sample() {
    let project = JobProject::new();
    project.write_fields("pub one: String,");
    project.succeed("generate");
    project.succeed("create api --group batch --version v2 --kind Job --controller=false");
    let path = "api/src/v2/job.rs";
    let field = "#[kb(lossy = \"new\")] pub two: i32,";
    project.replace(path, "pub one", &format!("{field} pub one"));
    project.succeed("generate");
    let sample = project.read("config/samples/batch_v2_job.yaml");
    assert!(
        sample.contains("\napiVersion: batch.example.com/v2\n")
            && sample.ends_with("\nspec:\n  one: one\n  two: 1\n"),
        "{sample}"
    );
    assert!(project.read(SAMPLE).ends_with("\nspec:\n  one: one\n"));
}

#[test]
fn crds_in_another_directory_have_no_samples() {
    let project = JobProject::new();
    let before = project.read(SAMPLE);
    project.write_fields("pub one: String,");
    project.succeed("generate crd --output-dir out");
    assert_eq!(project.read(SAMPLE), before);
}

#[test]
fn samples_of_two_versions_have_different_names() {
    let project = JobProject::new();
    project.succeed("create api --group batch --version v2 --kind Job --controller=false");
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
            project.write(path, &project.read(path).replace("\"bar\"", "\"baz\""));
        }
        project.succeed("generate");
        assert!(project.read(SAMPLE).ends_with("foo: baz\n"));
    }
}
