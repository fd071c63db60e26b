//! The API server takes every CRD that kb-rs makes, and has nothing to say to it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use scaffold_tests::{Cargo, Operator, Scenario};
use serde_json::{Value, json};

use crate::{
    bounded::Bounded,
    formats::Formatted,
    merged::Merged,
    place::{Answer, Place},
    template::Templated,
};

/// A CRD, and where it is from.
type Crd = (String, Value);

/// The documents in the files of a folder; none if it is not there.
fn documents(folder: &Path) -> Vec<Crd> {
    let Ok(entries) = fs::read_dir(folder) else {
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
    bases.flat_map(|folder| documents(&folder)).collect()
}

/// Those of the example operators are not committed, but made.
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

/// Those of the markers are committed without what every CRD has.
fn of_markers() -> Vec<Crd> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("markers");
    let whole = |(name, mut crd): Crd| {
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
    documents(&folder).into_iter().map(whole).collect()
}

fn of_these_tests() -> Vec<Crd> {
    let crds = [
        Bounded::crd(),
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

/// Applies a CRD without keeping it: several projects have one of the same name.
async fn apply(place: &Place, crd: &Value) -> Answer {
    let name = crd["metadata"]["name"].as_str().unwrap();
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let query = "?dryRun=All&fieldManager=schemas&force=true&fieldValidation=Strict";
    place.apply(&format!("{path}/{name}{query}"), crd).await
}

async fn accepted(crds: Vec<Crd>) {
    let Some(place) = Place::new().await else {
        return;
    };
    assert!(!crds.is_empty());
    let mut problems = Vec::new();
    for (name, crd) in crds {
        let answer = apply(&place, &crd).await;
        if !answer.is_success() || !answer.warnings.is_empty() {
            problems.push(format!(
                "{name}: {} {:?}",
                answer.message(),
                answer.warnings
            ));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[tokio::test]
async fn the_crds_of_all_goldens_are_accepted_without_a_warning() {
    accepted(of_goldens()).await;
}

#[tokio::test]
async fn the_crds_of_all_example_operators_are_accepted_without_a_warning() {
    accepted(of_operators()).await;
}

#[tokio::test]
async fn the_crds_of_all_markers_are_accepted_without_a_warning() {
    accepted(of_markers()).await;
}

#[tokio::test]
async fn the_crds_of_these_tests_are_accepted_without_a_warning() {
    accepted(of_these_tests()).await;
}

/// The API server does say something, so what the other tests look for is there to be found.
#[tokio::test]
async fn a_format_that_nobody_knows_is_warned_of() {
    let Some(place) = Place::new().await else {
        return;
    };
    let mut crd = serde_json::to_value(Merged::crd()).unwrap();
    let spec = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    spec["properties"]["list"]["items"]["format"] = json!("uint32");
    let answer = apply(&place, &crd).await;
    assert!(answer.is_success(), "{answer:?}");
    assert!(
        answer.warnings[0].contains("unrecognized format"),
        "{answer:?}"
    );
}
