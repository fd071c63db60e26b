//! The API server accepts the samples of all markers, goldens, random APIs and formats.
//!
//! Server-side apply with strict validation rejects unknown and duplicate fields, too.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::path::Path;

use kb_model::{Kind, fit::formats, sample::sample};
use kube::{
    Api, Client,
    api::{ApiResource, DynamicObject, Patch, PatchParams, ValidationDirective},
};
use proptest::test_runner::{Config, TestRunner};
use scaffold_tests::{Project, Scenario, Tree};
use serde_json::{Value, json};

use crate::{
    module::{self, Module},
    test_namespace::TestNamespace,
};

/// Number of random APIs.
const RANDOM: usize = 24;

fn documents(text: &str) -> Vec<Value> {
    serde_yaml::Deserializer::from_str(text)
        .map(|document| serde::Deserialize::deserialize(document).unwrap())
        .collect()
}

/// Returns the CRDs and the samples of a project.
fn manifests(tree: &Tree) -> (Vec<Value>, Vec<Value>) {
    let below = |dir: &str| {
        let files = tree
            .files()
            .filter(|(path, _)| path.starts_with(dir) && !path.ends_with("kustomization.yaml"));
        files.flat_map(|(_, text)| documents(text)).collect()
    };
    (below("config/crd/bases/"), below("config/samples/"))
}

/// Applies a sample of one of these CRDs. Returns the error of the API server.
async fn apply(test: &TestNamespace, crds: &[Value], sample: &Value) -> Option<String> {
    let string = |value: &Value| value.as_str().unwrap().to_owned();
    let (api_version, kind) = (string(&sample["apiVersion"]), string(&sample["kind"]));
    let (group, version) = api_version.split_once('/').unwrap();
    let has_kind =
        |crd: &&Value| crd["spec"]["group"] == group && crd["spec"]["names"]["kind"] == kind;
    let spec = &crds.iter().find(has_kind).unwrap()["spec"];
    let resource = ApiResource {
        group: group.to_owned(),
        version: version.to_owned(),
        plural: string(&spec["names"]["plural"]),
        api_version,
        kind,
    };
    let client: Client = test.admin.clone();
    let api: Api<DynamicObject> = if spec["scope"] == "Namespaced" {
        Api::namespaced_with(client, &test.namespace, &resource)
    } else {
        Api::all_with(client, &resource)
    };
    let strict = PatchParams {
        field_validation: Some(ValidationDirective::Strict),
        ..PatchParams::apply("samples")
    };
    let name = string(&sample["metadata"]["name"]);
    let applied = api.patch(&name, &strict, &Patch::Apply(sample)).await;
    applied.err().map(|error| error.to_string())
}

/// Installs CRDs and applies their samples. Returns the rejected samples with the errors.
async fn rejected(test: &TestNamespace, crds: &[Value], samples: &[Value]) -> Vec<String> {
    test.environment.apply(crds).await.unwrap();
    let mut rejected = Vec::new();
    for sample in samples {
        if let Some(error) = apply(test, crds, sample).await {
            rejected.push(format!("{sample}: {error}"));
        }
    }
    rejected
}

/// Creates a project with the kinds of all markers. Returns their number, too.
fn project_of_markers() -> (Project, usize) {
    let project = Project::new("init --domain example.com --project-name markers");
    let files = Tree::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("markers")).unwrap();
    let sources = files
        .files()
        .filter_map(|(path, source)| path.strip_suffix(".rs").map(|_| source));
    let mut count = 0;
    for source in sources {
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
    let Some(test) = TestNamespace::new("samples-of-markers").await else {
        return;
    };
    let (project, count) = project_of_markers();
    let (crds, samples) = manifests(&project.tree());
    assert_eq!((crds.len(), samples.len()), (count, count));

    let rejected = rejected(&test, &crds, &samples).await;
    assert!(rejected.is_empty(), "{rejected:#?}");
}

#[tokio::test]
async fn samples_of_every_golden_are_accepted() {
    let Some(test) = TestNamespace::new("samples-of-goldens").await else {
        return;
    };
    let mut seen = 0;
    for scenario in Scenario::all().unwrap() {
        let (crds, samples) = manifests(&scenario.golden_tree().unwrap());
        // Several scenarios have the same kinds.
        let own = format!("{}.example.com", scenario.name);
        let renamed = |documents: Vec<Value>| -> Vec<Value> {
            let json = serde_json::to_string(&documents).unwrap();
            serde_json::from_str(&json.replace("example.com", &own)).unwrap()
        };
        let (crds, samples) = (renamed(crds), renamed(samples));
        let rejected = rejected(&test, &crds, &samples).await;
        assert!(rejected.is_empty(), "{}: {rejected:#?}", scenario.name);
        seen += samples.len();
    }
    assert!(seen > 10, "only {seen} samples were found");
}

/// Returns the sample of the first version of a CRD, like `kb-rs generate`.
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
    let Some(test) = TestNamespace::new("samples-of-random-apis").await else {
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
        // Duplicates would not be served.
        let names = crd["spec"]["names"].as_object_mut().unwrap();
        names.remove("shortNames");
    }

    let samples: Vec<Value> = crds.iter().map(sample_of).collect();
    let rejected = rejected(&test, &crds, &samples).await;
    assert!(rejected.is_empty(), "{rejected:#?}");
}

#[tokio::test]
async fn every_format_has_examples_that_are_accepted() {
    let Some(test) = TestNamespace::new("samples-of-formats").await else {
        return;
    };
    let single = ["creditcard", "isbn", "isbn10", "isbn13"];
    let mut properties = json!({});
    for format in formats("string") {
        let items = json!({ "type": "string", "format": format });
        let count = if single.contains(format) { 1 } else { 3 };
        properties[format] = json!({
            "type": "array", "items": items, "minItems": count, "x-kubernetes-list-type": "set",
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
    let rejected = rejected(&test, &[crd], &[sample]).await;
    assert!(rejected.is_empty(), "{rejected:#?}");
}
