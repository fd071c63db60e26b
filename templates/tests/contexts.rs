//! Checks that every template renders with its context and uses only names that the context contains.
//!
//! Tera evaluates an unknown name in an `if` to false, so a typo would go unnoticed. These tests look up every dotted name of
//! every tag in a context with all fields set.
#![allow(clippy::unwrap_used, reason = "tests fail")]

use kb_templates::{
    Templates,
    context::{
        Api, Controller, Image, Init, Owned, Project, Resource, Rule, Sample, SampleFile, Wiring,
    },
};
use serde_json::Value;

fn project() -> Project {
    Project {
        name: "my-operator".into(),
        lib: "my_operator".into(),
        api_package: "my-operator-api".into(),
        api_lib: "my_operator_api".into(),
        namespace: "my-operator-system".into(),
        repo: Some("https://example.com/my-operator".into()),
        license: Some("Apache-2.0".into()),
        owner: "ACME".into(),
        header: "// Copyright ACME\n\n".into(),
        namespaced: true,
        rust_version: "1.89".into(),
    }
}

fn api() -> Api {
    Api {
        group: "batch.example.com".into(),
        version: "v1".into(),
        kind: "AppService".into(),
        plural: "appservices".into(),
        custom_plural: true,
        role_prefix: "appservice".into(),
        namespaced: true,
        storage: true,
        protected: true,
        module: "my_operator_api::v1".into(),
        path: "v1::AppService".into(),
        sample: "batch_v1_appservice.yaml".into(),
    }
}

fn image() -> Image {
    Image {
        reference: "\"app:1\"".into(),
        port: Some(8080),
        command: vec!["\"serve\"".into()],
        user: Some(1001),
    }
}

fn controller() -> Controller {
    Controller {
        project: project(),
        api: api(),
        controller: Wiring {
            name: "appservice".into(),
            module: "app_service".into(),
            variable: "app_services".into(),
            object: "app_service".into(),
            calls: vec![vec!["owns(".into(), "&context.deployments".into()]],
            finalizer: Some("batch.example.com/appservice".into()),
            status: true,
        },
        owns: vec![Owned {
            kind: "Deployment".into(),
            title: "Deployment".into(),
            kinds: "Deployments".into(),
            path: "Deployment".into(),
            variable: "deployments".into(),
            function: "deployment".into(),
        }],
        image: Some(image()),
        test_path: "v1::AppService".into(),
        crds: vec![vec!["crds(".into(), "my_operator_api::crds()".into()]],
        external_crds: true,
        rules: vec![Rule {
            resource: "apps/deployments".into(),
            verbs: "get, list, watch".into(),
            reason: Some("to apply Deployments".into()),
        }],
        k8s_imports: vec!["k8s_openapi::api::apps::v1::Deployment".into()],
        own_imports: vec!["my_operator_api::v1".into()],
    }
}

/// Returns the context of the template `id`.
fn context(id: &str) -> Value {
    if id.starts_with("api/src/controller/") || id.starts_with("api/tests/") {
        serde_json::to_value(controller()).unwrap()
    } else if id == "api/config/samples/SAMPLE.yaml" {
        serde_json::to_value(SampleFile {
            sample: Sample {
                project: "my-operator".into(),
                api_version: "batch.example.com/v1".into(),
                kind: "AppService".into(),
                name: "appservice-sample".into(),
                fields: "spec:\n  replicas: 1".into(),
            },
        })
        .unwrap()
    } else if id.starts_with("api/") {
        serde_json::to_value(Resource {
            project: project(),
            api: api(),
            image: Some(image()),
        })
        .unwrap()
    } else {
        serde_json::to_value(Init {
            project: project(),
            kb: "{ version = \"0.1\" }".into(),
            kb_rs: Some("kb-rs --locked --version 0.1.0".into()),
            kb_git: Some("\"https://example.com/kb-rs\"".into()),
        })
        .unwrap()
    }
}

/// Returns the content of every tag.
fn tags(source: &str) -> Vec<&str> {
    let mut tags = Vec::new();
    for (open, close) in [("[=", "=]"), ("[%", "%]")] {
        let mut rest = source;
        while let Some(start) = rest.find(open) {
            let tag = &rest[start + open.len()..];
            let end = tag.find(close).expect("tags are closed");
            tags.push(&tag[..end]);
            rest = &tag[end..];
        }
    }
    tags
}

/// Returns the dotted names outside of string literals: `api.kind`.
fn dotted_names(tag: &str) -> Vec<Vec<String>> {
    let outside: String = tag
        .replace("\\\"", "")
        .split(['"', '\''])
        .step_by(2)
        .collect::<Vec<_>>()
        .join(" ");
    outside
        .split(|character: char| {
            !(character.is_alphanumeric() || character == '_' || character == '.')
        })
        .filter(|word| word.contains('.') && word.starts_with(char::is_alphabetic))
        .map(|word| word.split('.').map(ToOwned::to_owned).collect())
        .collect()
}

#[test]
fn templates_use_only_names_of_their_context() {
    let mut seen = 0;
    for id in Templates::ids() {
        let mut context = context(id);
        // Loop variables.
        context["owned"] = context["owns"][0].clone();
        context["rule"] = context["rules"][0].clone();
        context["loop"] = serde_json::json!({ "first": true });
        for name in tags(Templates::source(id).unwrap())
            .into_iter()
            .flat_map(dotted_names)
        {
            let pointer = format!("/{}", name.join("/"));
            assert!(
                context.pointer(&pointer).is_some(),
                "{id}: unknown name {}",
                name.join(".")
            );
            seen += 1;
        }
    }
    assert!(seen > 100, "found only {seen} names");
}

#[test]
fn templates_render_without_stray_whitespace_or_delimiters() {
    let mut templates = Templates::default();
    for id in Templates::ids() {
        let text = templates.render(id, &context(id));
        assert!(
            text.ends_with('\n') && !text.ends_with("\n\n"),
            "{id}: must end with one newline"
        );
        assert!(!text.contains("\n\n\n"), "{id}: consecutive blank lines");
        assert!(
            text.lines().all(|line| line.trim_end() == line),
            "{id}: trailing whitespace"
        );
        for delimiter in ["[=", "=]", "[%", "%]"] {
            assert!(!text.contains(delimiter), "{id}: unrendered {delimiter}");
        }
    }
}
