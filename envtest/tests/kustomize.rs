//! Building the CRDs of a project with kubectl. Skipped without a control plane; with `CI=true` that is a failure.
#![allow(clippy::unwrap_used, reason = "tests fail")]
#![cfg(all(feature = "client", unix))]

use std::{fs, os::unix::fs::symlink, path::Path};

use kb_envtest::{Binaries, Crds, Environment, skip};
use kube::{
    Api,
    api::{ApiResource, DynamicObject},
};
use tempfile::TempDir;

const CRD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: shops.example.com
spec:
  group: example.com
  names: {plural: shops, kind: Shop}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
";

const PATCH: &str = "\
resources:
- bases/example.com_shops.yaml
patches:
- target: {kind: CustomResourceDefinition}
  patch: |-
    - op: add
      path: /metadata/annotations
      value: {example.com/patched: \"true\"}
";

fn binaries() -> Option<Binaries> {
    let found = Binaries::find();
    if let Err(error) = &found {
        skip(format_args!("control plane not found: {error}"));
    }
    found.ok()
}

/// Creates a `config/crd` directory with one CRD and a kustomization.
fn project(kustomization: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("bases")).unwrap();
    fs::write(folder.path().join("bases/example.com_shops.yaml"), CRD).unwrap();
    fs::write(folder.path().join("kustomization.yaml"), kustomization).unwrap();
    folder
}

async fn crds(folder: &Path, binaries: &Binaries) -> Crds {
    Crds::build(folder, binaries).await.unwrap()
}

#[tokio::test]
async fn kustomize_patches_are_applied() {
    if binaries().is_none() {
        return;
    }
    let project = project(PATCH);
    let builder = Environment::builder().crds_from(project.path());
    let environment = builder.start().await.unwrap();
    let client = environment.client().await.unwrap();
    let kind = ApiResource {
        group: "apiextensions.k8s.io".to_owned(),
        version: "v1".to_owned(),
        api_version: "apiextensions.k8s.io/v1".to_owned(),
        kind: "CustomResourceDefinition".to_owned(),
        plural: "customresourcedefinitions".to_owned(),
    };
    let installed: Api<DynamicObject> = Api::all_with(client, &kind);
    let crd = installed.get("shops.example.com").await.unwrap();
    let annotations = crd.metadata.annotations.unwrap();
    assert_eq!(annotations["example.com/patched"], "true");
}

#[tokio::test]
async fn without_kubectl_the_bases_are_installed_with_a_warning() {
    let Some(binaries) = binaries() else { return };
    let folder = TempDir::new().unwrap();
    for name in ["etcd", "kube-apiserver"] {
        symlink(binaries.dir().join(name), folder.path().join(name)).unwrap();
    }
    let bare = Binaries::at(folder.path()).unwrap();
    let crds = crds(project(PATCH).path(), &bare).await;
    assert_eq!(crds.documents[0]["metadata"]["name"], "shops.example.com");
    assert!(crds.documents[0]["metadata"]["annotations"].is_null());
    assert!(crds.warning.is_some());
}

#[tokio::test]
async fn remote_resources_are_not_fetched() {
    let Some(binaries) = binaries() else { return };
    for (resource, expected) in [
        ("https://192.0.2.1/crd.yaml", "127.0.0.1:9"),
        ("ssh://git@192.0.2.1/owner/repo", "no 'git' program on path"),
        (
            "https://192.0.2.1/owner/repo.git?ref=v1",
            "no 'git' program on path",
        ),
        ("../../../../etc/hostname", "is not in or below"),
    ] {
        let project = project(&format!("resources:\n- {resource}\n"));
        let error = Crds::build(project.path(), &binaries).await.unwrap_err();
        let text = error.to_string();
        assert!(text.contains(expected), "{resource}: {text}");
    }
}

#[tokio::test]
async fn a_project_without_kinds_has_no_crds() {
    let Some(binaries) = binaries() else { return };
    let folder = TempDir::new().unwrap();
    let crds = crds(folder.path(), &binaries).await;
    assert!(crds.documents.is_empty() && crds.warning.is_none());
}
