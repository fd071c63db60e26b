//! The Makefile of a generated project, against a real API server: what it refuses, what it applies, and that it leaves the tree as it was.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use kb::k8s_openapi::{
    api::apps::v1::Deployment,
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::{Api, ResourceExt};
use scaffold_tests::Run;
use tempfile::TempDir;

use crate::{
    kubectl::{Kubectl, project},
    place::{Place, eventually},
};

const CRD: &str = "clusters.fleet.example.com";
/// Nothing that a shell, make or YAML may take for itself, if it is quoted well.
const ODD: &str = r#"it's "odd" $(touch made) $HOME `touch made` #%\ x"#;

/// A project under version control, and what its Makefile needs.
struct Repository<'a> {
    folder: TempDir,
    kubectl: &'a Kubectl,
}

impl<'a> Repository<'a> {
    fn new(golden: &str, kubectl: &'a Kubectl) -> Self {
        let repository = Self {
            folder: project(golden),
            kubectl,
        };
        for arguments in ["init --quiet", "add .", "commit --quiet --message=x"] {
            let done = repository.git(arguments);
            assert!(done.status.success(), "git {arguments}: {done:?}");
        }
        repository
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn git(&self, arguments: &str) -> Output {
        Command::new("git")
            .args(["-c", "user.name=x", "-c", "user.email=x@example.com"])
            .args(arguments.split(' '))
            .current_dir(self.path())
            .output()
            .unwrap()
    }

    /// Runs make, and expects that it changes no file that is under version control, and adds none.
    fn make(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Run {
        let mut command = Command::new("make");
        self.kubectl.lend(&mut command);
        let output = command
            .args(arguments)
            .current_dir(self.path())
            // What is set around this test is not meant for the project.
            .env_remove("MAKEFLAGS")
            .env_remove("MAKELEVEL")
            .env_remove("KUBE_CONTEXT")
            .env("KUBECTL", self.kubectl.program())
            .env("KB_RS", env!("CARGO_BIN_EXE_kb-rs-under-test"))
            .envs(environment.iter().copied())
            .output()
            .unwrap();
        let status = self.git("status --porcelain").stdout;
        assert_eq!(String::from_utf8_lossy(&status), "", "make {arguments:?}");
        Run::from(output)
    }

    fn succeed(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Run {
        let run = self.make(arguments, environment);
        assert_eq!(
            run.code,
            Some(0),
            "make {arguments:?}: {}{}",
            run.stdout,
            run.stderr
        );
        run
    }

    /// Gives the context of the kubeconfig another name.
    fn name_context(&self, name: &str) {
        let path = self.kubectl.kubeconfig();
        let text = fs::read_to_string(&path).unwrap();
        let mut kubeconfig: serde_json::Value = serde_json::from_str(&text).unwrap();
        kubeconfig["contexts"][0]["name"] = name.into();
        kubeconfig["current-context"] = name.into();
        fs::write(path, kubeconfig.to_string()).unwrap();
    }
}

#[tokio::test]
async fn only_a_context_that_was_named_or_is_local_is_worked_on_and_the_tree_stays_clean() {
    let Some(place) = Place::new("makefile").await else {
        return;
    };
    let Some(kubectl) = Kubectl::new(&place) else {
        return;
    };
    let repository = Repository::new("two-apis", &kubectl);
    repository.name_context("production");
    let crds: Api<CustomResourceDefinition> = Api::all(place.admin.clone());

    for target in ["install", "deploy", "uninstall", "undeploy", "run"] {
        let refused = repository.make(&[target], &[]);
        assert_ne!(refused.code, Some(0), "{target}");
        assert_eq!(refused.stdout, "context: production\n", "{target}");
        let help = format!("make {target} KUBE_CONTEXT='production'");
        assert!(refused.stderr.contains(&help), "{}", refused.stderr);
    }
    assert!(crds.get_opt(CRD).await.unwrap().is_none());

    let installed = repository.succeed(&["install", "KUBE_CONTEXT=production"], &[]);
    assert!(installed.stdout.starts_with("context: production\n"));
    let crd = crds.get(CRD).await.unwrap();
    let applied = crd.managed_fields().iter();
    let applied = applied.filter_map(|fields| fields.operation.as_deref());
    assert!(applied.into_iter().any(|operation| operation == "Apply"));

    repository.name_context("kb-envtest");
    repository.succeed(&["uninstall"], &[]);
    eventually("the CRD is gone", || async {
        crds.get_opt(CRD).await.unwrap().is_none()
    })
    .await;
    let missing = repository.make(&["install"], &[("KUBE_CONTEXT", "elsewhere")]);
    assert_ne!(missing.code, Some(0), "the one that was named is taken");
}

#[tokio::test]
async fn names_with_odd_characters_reach_the_cluster_as_they_are() {
    let Some(place) = Place::new("makefile-odd").await else {
        return;
    };
    let Some(kubectl) = Kubectl::new(&place) else {
        return;
    };
    let repository = Repository::new("odd-names", &kubectl);
    repository.name_context(ODD);
    let refused = repository.make(&["deploy"], &[]);
    assert_ne!(refused.code, Some(0));
    assert!(refused.stderr.contains(ODD), "{}", refused.stderr);

    repository.succeed(&["build-installer"], &[("IMG", ODD)]);
    let installer = fs::read_to_string(repository.path().join("dist/install.yaml")).unwrap();
    let documents: Vec<serde_json::Value> = serde_saphyr::from_multiple(&installer).unwrap();
    let mut images = documents
        .iter()
        .filter(|document| document["kind"] == "Deployment")
        .map(|document| &document["spec"]["template"]["spec"]["containers"][0]["image"]);
    assert_eq!(images.next().unwrap(), ODD);

    let image = "registry.example.com:5000/team/odd:v1";
    let variables = [("KUBE_CONTEXT", ODD), ("IMG", image)];
    repository.succeed(&["deploy"], &variables);
    let deployments: Api<Deployment> = Api::namespaced(place.admin.clone(), "odd-names-system");
    let deployed = deployments
        .get("odd-names-controller-manager")
        .await
        .unwrap();
    let pod = deployed.spec.unwrap().template.spec.unwrap();
    assert_eq!(pod.containers[0].image.as_deref(), Some(image));
    assert!(!repository.path().join("made").exists());
}
