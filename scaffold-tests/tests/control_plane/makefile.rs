//! The Makefile of a scaffolded project against a real API server. It changes no file under version control.

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
use scaffold_tests::{KbRs, Run};
use tempfile::TempDir;

use crate::{
    kubectl::{Kubectl, project},
    test_namespace::{TestNamespace, eventually},
};

const CRD: &str = "clusters.fleet.example.com";
/// Characters that a shell, make or YAML would interpret if they were not quoted.
const ODD: &str = r#"it's "odd" $(touch executed) $HOME `touch executed` #%\ x"#;

/// A project under version control, and the kubectl of its Makefile.
struct Repository<'a> {
    dir: TempDir,
    kubectl: &'a Kubectl,
}

impl<'a> Repository<'a> {
    fn new(golden: &str, kubectl: &'a Kubectl) -> Self {
        let repository = Self {
            dir: project(golden),
            kubectl,
        };
        for arguments in ["init --quiet", "add .", "commit --quiet --message=x"] {
            let done = repository.git(arguments);
            assert!(done.status.success(), "git {arguments}: {done:?}");
        }
        repository
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn git(&self, arguments: &str) -> Output {
        Command::new("git")
            .args(["-c", "user.name=x", "-c", "user.email=x@example.com"])
            .args(arguments.split(' '))
            .current_dir(self.path())
            .output()
            .unwrap()
    }

    /// Runs make and expects no changed or new files in version control.
    fn make(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Run {
        let mut command = Command::new("make");
        self.kubectl.configure(&mut command);
        let output = command
            .args(arguments)
            .current_dir(self.path())
            // Variables of the outer make do not apply.
            .env_remove("MAKEFLAGS")
            .env_remove("MAKELEVEL")
            .env_remove("KUBE_CONTEXT")
            .env("KUBECTL", self.kubectl.program())
            .env("KB_RS", KbRs::new().path())
            .envs(environment.iter().copied())
            .output()
            .unwrap();
        let status = self.git("status --porcelain").stdout;
        assert_eq!(String::from_utf8_lossy(&status), "", "make {arguments:?}");
        Run::from(output)
    }

    fn succeed(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Run {
        let run = self.make(arguments, environment);
        assert_eq!(run.code, Some(0), "make {arguments:?}: {run}");
        run
    }

    /// Renames the context of the kubeconfig.
    fn rename_context(&self, name: &str) {
        let path = self.kubectl.kubeconfig();
        let text = fs::read_to_string(&path).unwrap();
        let mut kubeconfig: serde_json::Value = serde_json::from_str(&text).unwrap();
        kubeconfig["contexts"][0]["name"] = name.into();
        kubeconfig["current-context"] = name.into();
        fs::write(path, kubeconfig.to_string()).unwrap();
    }
}

#[tokio::test]
async fn targets_require_a_local_or_an_explicit_context() {
    let Some(test) = TestNamespace::new("makefile").await else {
        return;
    };
    let Some(kubectl) = Kubectl::new(&test) else {
        return;
    };
    let repository = Repository::new("two-apis", &kubectl);
    repository.rename_context("production");
    let crds: Api<CustomResourceDefinition> = Api::all(test.admin.clone());

    for target in ["install", "deploy", "uninstall", "undeploy", "run"] {
        let rejected = repository.make(&[target], &[]);
        assert_ne!(rejected.code, Some(0), "{target}");
        assert_eq!(rejected.stdout, "context: production\n", "{target}");
        let help = format!("make {target} KUBE_CONTEXT='production'");
        assert!(rejected.stderr.contains(&help), "{}", rejected.stderr);
    }
    assert!(crds.get_opt(CRD).await.unwrap().is_none());

    let installed = repository.succeed(&["install", "KUBE_CONTEXT=production"], &[]);
    assert!(installed.stdout.starts_with("context: production\n"));
    let crd = crds.get(CRD).await.unwrap();
    let applied = crd.managed_fields().iter();
    let applied = applied.filter_map(|fields| fields.operation.as_deref());
    assert!(applied.into_iter().any(|operation| operation == "Apply"));

    repository.rename_context("kb-envtest");
    repository.succeed(&["uninstall"], &[]);
    eventually("the CRD is deleted", || async {
        crds.get_opt(CRD).await.unwrap().is_none()
    })
    .await;
    let missing = repository.make(&["install"], &[("KUBE_CONTEXT", "elsewhere")]);
    assert_ne!(missing.code, Some(0), "KUBE_CONTEXT is used");
}

#[tokio::test]
async fn names_with_special_characters_are_quoted() {
    let Some(test) = TestNamespace::new("makefile-odd").await else {
        return;
    };
    let Some(kubectl) = Kubectl::new(&test) else {
        return;
    };
    let repository = Repository::new("odd-names", &kubectl);
    repository.rename_context(ODD);
    let rejected = repository.make(&["deploy"], &[]);
    assert_ne!(rejected.code, Some(0));
    assert!(rejected.stderr.contains(ODD), "{}", rejected.stderr);

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
    let deployments: Api<Deployment> = Api::namespaced(test.admin.clone(), "odd-names-system");
    let deployed = deployments
        .get("odd-names-controller-manager")
        .await
        .unwrap();
    let pod = deployed.spec.unwrap().template.spec.unwrap();
    assert_eq!(pod.containers[0].image.as_deref(), Some(image));
    assert!(!repository.path().join("executed").exists());
}
