//! PROJECT files: a real one is read and rewritten, random ones survive a round trip with all of their fields.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod problems;
mod random;

use kb_rs::project::{Controller, LAYOUT, Project, ProjectFile};
use proptest::{collection::vec, prelude::*};
use serde_json::Value;
use snapbox::assert_data_eq;

use random::{Apply, change, project};

const KUBEBUILDER: &str = include_str!("../data/project/kubebuilder.yaml");

fn read(text: &str) -> Project {
    let file = ProjectFile::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(file.rewrite(file.project()), text, "no change, same text");
    file.project().clone()
}

fn rewrite(text: &str, project: &Project) -> String {
    ProjectFile::parse(text).unwrap().rewrite(project)
}

/// Asserts that serde-saphyr and `serde_yaml` agree on a text.
fn assert_portable(text: &str) {
    let first: Value = serde_saphyr::from_str(text).unwrap();
    let second: Value = serde_yaml::from_str(text).unwrap();
    assert_eq!(first, second, "\n{text}");
}

#[test]
fn reads_kubebuilders_fields() {
    let project = read(KUBEBUILDER);
    assert_eq!(project.cli_version.as_deref(), Some("4.5.0"));
    assert_eq!(project.layout, [LAYOUT]);
    let [cron_job, deployment, certificate] = &project.resources[..] else {
        panic!("three resources");
    };
    assert!(cron_job.controller && cron_job.api.as_ref().is_some_and(|api| api.namespaced));
    assert_eq!(deployment.controllers.len(), 2);
    assert!(deployment.core && certificate.external);
    assert_eq!(certificate.group, None);
}

#[test]
fn a_rewrite_keeps_the_header_and_unknown_fields() {
    let mut project = read(KUBEBUILDER);
    project.multigroup = true;
    project.kb_source = Some("path:../kb".to_owned());
    project.resources[0].api = None;
    project.resources[0].owns = vec!["apps/v1/Deployment".parse().unwrap()];
    let mut pilot = Controller::new("pilot".parse().unwrap());
    pilot.owns = vec!["core/v1/Pod".parse().unwrap()];
    project.resources[1].controllers.push(pilot);
    project.resources.remove(2);
    let text = rewrite(KUBEBUILDER, &project);
    assert_data_eq!(
        &text,
        snapbox::file!["../snapshots/project/rewritten.yaml"].raw()
    );
    assert_eq!(read(&text), project);
}

#[test]
fn an_undone_change_restores_the_text() {
    let mut changed = read(KUBEBUILDER);
    changed.namespaced = true;
    // The fixture has comments, which a rewrite drops.
    let text = rewrite(KUBEBUILDER, &changed);
    let first = read(&text);
    changed.kb_source = Some("registry".to_owned());
    changed.resources[0]
        .controllers
        .push(Controller::new("second".parse().unwrap()));
    let issuer = changed.resources[2].clone();
    changed.resources.push(kb_rs::project::Resource {
        kind: "Issuer".parse().unwrap(),
        ..issuer
    });
    assert_eq!(rewrite(&rewrite(&text, &changed), &first), text);
    let windows = text.replace('\n', "\r\n");
    assert_eq!(rewrite(&rewrite(&windows, &changed), &first), windows);
}

proptest! {
    // A case parses its text many times.
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases / 4,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_rendered_project_is_read_back(project in project()) {
        let text = project.render();
        prop_assert_eq!(&read(&text), &project);
        assert_portable(&text);
        let keys: Vec<&str> = text.lines().filter(|line| line.starts_with(char::is_alphabetic)).collect();
        prop_assert!(keys.is_sorted(), "{}", text);
    }

    #[test]
    fn rewrites_lose_nothing(mut project in project(), changes in vec(change(), 1..8)) {
        let mut text = project.render();
        for change in changes {
            project.apply(change);
            text = rewrite(&text, &project);
            prop_assert_eq!(&read(&text), &project);
            prop_assert_eq!(&text, &project.render());
        }
    }

    #[test]
    fn parsing_never_panics(text in "([a-z:#\\[\\]{}&*\"'| \n-]|version: 3\n|layout: rust.kb-rs.dev/v1\n){0,40}") {
        let _ = ProjectFile::parse(&text);
    }
}
