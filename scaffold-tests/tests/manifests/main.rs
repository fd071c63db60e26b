//! What every generated project deploys, read without a cluster: nothing that must never be there, and parts that fit each other.
//!
//! The rules are functions over documents and texts, each with a bad example that it must find. What an API server makes of the
//! manifests is tested in `control_plane`.
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

/// All that is wrong with a document of a golden's config folder.
fn problems(document: &Value) -> Vec<String> {
    let mut problems = roles::problems(document);
    problems.extend(pods::problems(document));
    problems
}

#[test]
fn no_manifest_has_what_must_never_be_there() {
    let mut seen = 0;
    for golden in goldens() {
        for (path, document) in golden.documents() {
            let problems = problems(&document);
            assert!(problems.is_empty(), "{}/{path}: {problems:#?}", golden.name);
            seen += 1;
        }
    }
    assert!(seen > 150, "only {seen} documents were looked at");
}

#[test]
fn no_image_is_taken_from_a_tag_that_moves_at_will() {
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
fn the_workflow_of_this_repository_is_held_to_the_same() {
    let workflow = include_str!("../../../.github/workflows/ci.yml");
    assert_eq!(images::of_workflow(workflow), Vec::<String>::new());
}
