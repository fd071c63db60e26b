//! Samples that the API server accepts: those of every marker, of every golden project, of random APIs and of every format.
//!
//! They are applied by the server, with strict validation: an unknown or doubled field is refused, too.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::{collections::BTreeSet, path::Path};

use kb_model::{Kind, sample::sample, schema::formats};
use kube::{
    Api, Client,
    api::{ApiResource, DynamicObject, Patch, PatchParams, ValidationDirective},
};
use proptest::test_runner::{Config, TestRunner};
use scaffold_tests::{Project, Scenario, Tree};
use serde_json::{Value, json};

use crate::{
    module::{self, Module},
    place::Place,
};

/// Markers whose kinds have rules that no sample can be made for, and why.
const UNMET: [(&str, &str); 0] = [];

/// How many random APIs there are.
const RANDOM: usize = 24;

fn documents(text: &str) -> Vec<Value> {
    serde_yaml::Deserializer::from_str(text)
        .map(|document| serde::Deserialize::deserialize(document).unwrap())
        .collect()
}

/// The CRDs and the samples of a project.
fn manifests(tree: &Tree) -> (Vec<Value>, Vec<Value>) {
    let below = |folder: &str| {
        let files = tree
            .files()
            .filter(|(path, _)| path.starts_with(folder) && !path.ends_with("kustomization.yaml"));
        files.flat_map(|(_, text)| documents(text)).collect()
    };
    (below("config/crd/bases/"), below("config/samples/"))
}

/// Applies a sample of one of these CRDs; gives what the API server has against it.
async fn apply(place: &Place, crds: &[Value], sample: &Value) -> Option<String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let (api_version, kind) = (text(&sample["apiVersion"]), text(&sample["kind"]));
    let (group, version) = api_version.split_once('/').unwrap();
    let is_its =
        |crd: &&Value| crd["spec"]["group"] == group && crd["spec"]["names"]["kind"] == kind;
    let spec = &crds.iter().find(is_its).unwrap()["spec"];
    let resource = ApiResource {
        group: group.to_owned(),
        version: version.to_owned(),
        plural: text(&spec["names"]["plural"]),
        api_version,
        kind,
    };
    let client: Client = place.admin.clone();
    let api: Api<DynamicObject> = if spec["scope"] == "Namespaced" {
        Api::namespaced_with(client, &place.namespace, &resource)
    } else {
        Api::all_with(client, &resource)
    };
    let strictly = PatchParams {
        field_validation: Some(ValidationDirective::Strict),
        ..PatchParams::apply("samples")
    };
    let name = text(&sample["metadata"]["name"]);
    let applied = api.patch(&name, &strictly, &Patch::Apply(sample)).await;
    applied.err().map(|error| error.to_string())
}

/// Applies the samples of these CRDs, which are installed first; gives the kinds that are refused, and why.
async fn refused(place: &Place, crds: &[Value], samples: &[Value]) -> Vec<(String, String)> {
    place.environment.apply(crds).await.unwrap();
    let mut refused = Vec::new();
    for sample in samples {
        if let Some(error) = apply(place, crds, sample).await {
            let kind = sample["kind"].as_str().unwrap().to_owned();
            refused.push((kind, format!("{sample}: {error}")));
        }
    }
    refused
}

/// Creates a project with the kinds of all markers. Returns their number, too.
fn project_of_markers() -> (Project, usize) {
    let project = Project::new("init --domain example.com --project-name markers");
    let files = Tree::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("markers")).unwrap();
    let is_source = |(path, _): &(&str, &str)| !path.ends_with(".yaml");
    let mut count = 0;
    for (_, source) in files.files().filter(is_source) {
        let kind = source.split("kind = \"").nth(1).unwrap();
        let kind: Kind = kind.split('"').next().unwrap().parse().unwrap();
        project.succeed(&format!(
            "create api --version v1 --kind {kind} --controller=false"
        ));
        project.write(&format!("api/src/v1/{}.rs", kind.module()), source);
        count += 1;
    }
    project.succeed("generate crd");
    (project, count)
}

#[tokio::test]
async fn samples_of_every_marker_are_accepted() {
    let Some(place) = Place::new("samples-of-markers").await else {
        return;
    };
    let (project, count) = project_of_markers();
    let (crds, samples) = manifests(&project.tree());
    assert_eq!((crds.len(), samples.len()), (count, count));

    let refused = refused(&place, &crds, &samples).await;
    let kinds: BTreeSet<&str> = refused.iter().map(|(kind, _)| kind.as_str()).collect();
    let unmet: BTreeSet<&str> = UNMET.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, unmet, "{refused:#?}");
}

#[tokio::test]
async fn samples_of_every_golden_are_accepted() {
    let Some(place) = Place::new("samples-of-goldens").await else {
        return;
    };
    let mut seen = 0;
    for scenario in Scenario::all().unwrap() {
        let (crds, samples) = manifests(&scenario.golden_tree().unwrap());
        // Several of them have the same kinds.
        let own = format!("{}.example.com", scenario.name);
        let renamed = |documents: Vec<Value>| -> Vec<Value> {
            let text = serde_json::to_string(&documents).unwrap();
            serde_json::from_str(&text.replace("example.com", &own)).unwrap()
        };
        let (crds, samples) = (renamed(crds), renamed(samples));
        let refused = refused(&place, &crds, &samples).await;
        assert!(refused.is_empty(), "{}: {refused:#?}", scenario.name);
        seen += samples.len();
    }
    assert!(seen > 10, "only {seen} samples were found");
}

/// A sample of the first version of a CRD, as `kb-rs generate` would make it.
fn sample_of(crd: &Value) -> Value {
    let (spec, version) = (&crd["spec"], &crd["spec"]["versions"][0]);
    let mut sample = sample(&version["schema"]["openAPIV3Schema"]);
    let api_version = format!(
        "{}/{}",
        spec["group"].as_str().unwrap(),
        version["name"].as_str().unwrap()
    );
    sample.insert("apiVersion".to_owned(), api_version.into());
    sample.insert("kind".to_owned(), spec["names"]["kind"].clone());
    sample.insert("metadata".to_owned(), json!({ "name": "sample" }));
    sample.into()
}

#[tokio::test]
async fn samples_of_random_apis_are_accepted() {
    let Some(place) = Place::new("samples-of-random-apis").await else {
        return;
    };
    let mut runner = TestRunner::new(Config::default());
    let modules: Vec<Module> = (0..RANDOM)
        .map(|number| Module::random(number, runner.rng()))
        .collect();
    let project = Project::new(
        "init --domain example.com --project-name random
        create api --version v1 --kind First --controller=false",
    );
    // Replaces the kind First, which was needed for an API crate.
    for (path, text) in module::sources(&modules) {
        project.write(&format!("api/src/{path}"), &text);
    }
    let printed = project.succeed("generate crd --stdout").stdout;
    let mut crds = documents(&printed);
    assert_eq!(crds.len(), RANDOM);
    for crd in &mut crds {
        // Some have the same, and then only one of them is served.
        let names = crd["spec"]["names"].as_object_mut().unwrap();
        names.remove("shortNames");
    }

    let samples: Vec<Value> = crds.iter().map(sample_of).collect();
    let refused = refused(&place, &crds, &samples).await;
    assert!(refused.is_empty(), "{refused:#?}");
}

#[tokio::test]
async fn every_format_has_examples_that_are_accepted() {
    let Some(place) = Place::new("samples-of-formats").await else {
        return;
    };
    let single = ["creditcard", "isbn", "isbn10", "isbn13"];
    let mut properties = json!({});
    for format in formats("string") {
        let text = json!({ "type": "string", "format": format });
        let count = if single.contains(format) { 1 } else { 3 };
        properties[format] = json!({
            "type": "array", "items": text, "minItems": count, "x-kubernetes-list-type": "set",
        });
    }
    let spec = json!({ "type": "object", "required": formats("string"), "properties": properties });
    let schema = json!({ "type": "object", "required": ["spec"], "properties": { "spec": spec } });
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "formats.samples.example.com" },
        "spec": {
            "group": "samples.example.com",
            "scope": "Namespaced",
            "names": { "kind": "Format", "listKind": "FormatList", "plural": "formats", "singular": "format" },
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": { "openAPIV3Schema": schema },
            }],
        },
    });
    let sample = sample_of(&crd);
    let refused = refused(&place, &[crd], &[sample]).await;
    assert!(refused.is_empty(), "{refused:#?}");
}
