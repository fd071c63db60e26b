//! A small project with an API crate, written by hand: these tests do not depend on templates.

use std::{ops::Deref, time::SystemTime};

use scaffold_tests::{Project, api_crate};

/// The kustomization that lists the CRDs.
pub(crate) const KUSTOMIZATION: &str = "config/crd/kustomization.yaml";

/// The role of the manager.
pub(crate) const ROLE: &str = "config/rbac/role.yaml";

/// A project with an API crate.
pub(crate) struct ApiProject(pub(crate) Project);

impl Deref for ApiProject {
    type Target = Project;

    fn deref(&self) -> &Project {
        &self.0
    }
}

impl ApiProject {
    /// Creates a project with these kinds.
    pub(crate) fn new(kinds: &[&str]) -> Self {
        let project = Self(Project::empty());
        project.write(
            "PROJECT",
            "domain: example.com\nlayout:\n- rust.kb-rs.dev/v1\nprojectName: demo\nversion: \"3\"\n",
        );
        project.write(
            "Cargo.toml",
            "[workspace]\nmembers = [\"api\"]\nresolver = \"3\"\n",
        );
        project.write(
            "api/Cargo.toml",
            "[package]\nname = \"demo-api\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nkb = { package = \"kb-runtime\", version = \"0.1\" }\n",
        );
        project.write(KUSTOMIZATION, "resources:\n# +kb:scaffold:crds\n");
        for kind in kinds {
            project.write_kind(kind, "Desired state.");
        }
        project.list_kinds(kinds);
        project
    }

    /// Writes the source of a kind with a doc comment.
    pub(crate) fn write_kind(&self, kind: &str, docs: &str) {
        let text = format!(
            "//! A kind.\n\n/// {docs}\n#[kb::resource(group = \"batch.example.com\", version = \"v1\", kind = \"{kind}\")]\npub struct {kind}Spec {{\n    /// How many.\n    pub replicas: Option<i32>,\n}}\n"
        );
        self.write(&source(kind), &text);
    }

    /// Writes the list of kinds.
    pub(crate) fn list_kinds(&self, kinds: &[&str]) {
        let modules: Vec<String> = kinds.iter().map(|kind| kind.to_lowercase()).collect();
        let modules = modules.iter().map(String::as_str);
        let text = api_crate(modules.zip(kinds.iter().copied()));
        self.write("api/src/lib.rs", &text);
    }

    /// Puts a misspelled marker onto the field of Job.
    pub(crate) fn misspell_marker(&self) {
        let field = "    pub replicas";
        let marked = format!("    #[kb(minimun = 1)]\n{field}");
        self.replace(&source("Job"), field, &marked);
    }

    /// Returns the time of the last write of a file.
    pub(crate) fn modified(&self, path: &str) -> SystemTime {
        self.path(path).metadata().unwrap().modified().unwrap()
    }
}

/// Returns the path of a kind's source in the API crate.
pub(crate) fn source(kind: &str) -> String {
    format!("api/src/{}.rs", kind.to_lowercase())
}

/// Returns the path of a kind's CRD.
pub(crate) fn crd(kind: &str) -> String {
    format!(
        "config/crd/bases/batch.example.com_{}s.yaml",
        kind.to_lowercase()
    )
}
