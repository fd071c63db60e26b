//! The API server accepts all generated CRDs without a warning.

use std::{
    fs,
    path::{Path, PathBuf},
};

use scaffold_tests::{Cargo, Operator, Scenario};
use serde_json::{Value, json};

use crate::{
    api_server::{ApiServer, Response},
    formats::Formatted,
    kind::Validated,
    merge::Merged,
    pod_template::Templated,
};

/// A CRD with its origin.
type Crd = (String, Value);

/// Returns the CRDs in a directory; none if it does not exist.
fn documents(dir: &Path) -> Vec<Crd> {
    let Ok(entries) = fs::read_dir(dir) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_yaml = |path: &PathBuf| {
        path.extension()
            .is_some_and(|extension| extension == "yaml")
    };
    let document = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (
            path.display().to_string(),
            serde_saphyr::from_str(&text).unwrap(),
        )
    };
    paths.filter(is_yaml).map(document).collect()
}

fn of_goldens() -> Vec<Crd> {
    let scenarios = Scenario::all().unwrap();
    let bases = scenarios
        .iter()
        .map(|scenario| scenario.golden().join("config/crd/bases"));
    bases.flat_map(|dir| documents(&dir)).collect()
}

/// The CRDs of the example operators are not committed, but generated.
fn of_operators() -> Vec<Crd> {
    let cargo = Cargo::new().unwrap();
    let crds = |name: String| {
        let operator = Operator::read(&name).unwrap();
        let project = operator.project(&cargo).unwrap();
        documents(&project.join("config/crd/bases"))
    };
    Operator::names()
        .unwrap()
        .into_iter()
        .flat_map(crds)
        .collect()
}

/// The CRDs of the markers are committed without the fields that all CRDs have.
fn of_markers() -> Vec<Crd> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("markers");
    let complete = |(name, mut crd): Crd| {
        crd["apiVersion"] = json!("apiextensions.k8s.io/v1");
        crd["kind"] = json!("CustomResourceDefinition");
        for version in crd["spec"]["versions"].as_array_mut().unwrap() {
            let properties = &mut version["schema"]["openAPIV3Schema"]["properties"];
            properties["apiVersion"] = json!({"type": "string"});
            properties["kind"] = json!({"type": "string"});
            properties["metadata"] = json!({"type": "object"});
        }
        (name, crd)
    };
    documents(&dir).into_iter().map(complete).collect()
}

fn of_these_tests() -> Vec<Crd> {
    let crds = [
        Validated::crd(),
        Formatted::crd(),
        Merged::crd(),
        Templated::crd(),
    ];
    let crd = |crd| {
        (
            "a type of these tests".to_owned(),
            serde_json::to_value(crd).unwrap(),
        )
    };
    crds.map(crd).into()
}

/// Applies a CRD as a dry run: several projects have a CRD of the same name.
async fn apply(server: &ApiServer, crd: &Value) -> Response {
    let name = crd["metadata"]["name"].as_str().unwrap();
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let query = "?dryRun=All&fieldManager=schemas&force=true&fieldValidation=Strict";
    server.apply(&format!("{path}/{name}{query}"), crd).await
}

async fn assert_accepted(crds: Vec<Crd>) {
    let Some(server) = ApiServer::new().await else {
        return;
    };
    assert!(!crds.is_empty());
    let mut problems = Vec::new();
    for (name, crd) in crds {
        let response = apply(&server, &crd).await;
        if !response.is_success() || !response.warnings.is_empty() {
            problems.push(format!(
                "{name}: {} {:?}",
                response.message(),
                response.warnings
            ));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[tokio::test]
async fn the_crds_of_all_goldens_are_accepted_without_a_warning() {
    assert_accepted(of_goldens()).await;
}

#[tokio::test]
async fn the_crds_of_all_example_operators_are_accepted_without_a_warning() {
    assert_accepted(of_operators()).await;
}

#[tokio::test]
async fn the_crds_of_all_markers_are_accepted_without_a_warning() {
    assert_accepted(of_markers()).await;
}

#[tokio::test]
async fn the_crds_of_these_tests_are_accepted_without_a_warning() {
    assert_accepted(of_these_tests()).await;
}

/// The other tests could find a warning.
#[tokio::test]
async fn an_unknown_format_is_a_warning() {
    let Some(server) = ApiServer::new().await else {
        return;
    };
    let mut crd = serde_json::to_value(Merged::crd()).unwrap();
    let spec = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    spec["properties"]["list"]["items"]["format"] = json!("uint32");
    let response = apply(&server, &crd).await;
    assert!(response.is_success(), "{response:?}");
    assert!(
        response.warnings[0].contains("unrecognized format"),
        "{response:?}"
    );
}
