//! Manifests of all goldens, checked without a cluster: security rules, and consistency between files.
//!
//! The rules are functions of documents and texts, each tested with a bad example. `control_plane` applies the manifests to an API server.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write, start processes and fail"
)]

#[cfg(unix)]
mod dockerfile;
mod files;
mod images;
mod parts;
mod pods;
mod roles;

use files::{Golden, goldens};
use serde_json::Value;

/// Returns the problems of a manifest.
fn problems(document: &Value) -> Vec<String> {
    let mut problems = roles::problems(document);
    problems.extend(pods::problems(document));
    problems
}

#[test]
fn manifests_follow_the_security_rules() {
    let mut seen = 0;
    for golden in goldens() {
        for (path, document) in golden.documents() {
            let problems = problems(&document);
            assert!(problems.is_empty(), "{}/{path}: {problems:#?}", golden.name);
            seen += 1;
        }
    }
    assert!(seen > 150, "only {seen} documents were found");
}

#[test]
fn images_and_actions_are_pinned() {
    for Golden { name, tree } in goldens() {
        let text = |path: &str| tree.get(path).unwrap().to_owned();
        let mut problems = images::of_dockerfile(&text("Dockerfile"));
        problems.extend(images::of_workflow(&text(".github/workflows/ci.yml")));
        problems.extend(images::of_kustomization(&text(
            "config/manager/kustomization.yaml",
        )));
        assert!(problems.is_empty(), "{name}: {problems:#?}");
    }
}

#[test]
fn the_workflow_of_this_repository_follows_the_same_rules() {
    let workflow = include_str!("../../../.github/workflows/ci.yml");
    assert_eq!(images::of_workflow(workflow), Vec::<String>::new());
}
