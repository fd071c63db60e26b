//! PROJECT files, from outside: a real one is read and edited, and random ones keep everything that is the user's.
//!
//! A random project is rendered, its text decorated (comments, blank lines, unknown fields, CRLF, list indentation, no
//! final line end), and edited step by step. After every step the record is the wanted one, and each comment and unknown
//! field is found again unless its resource was removed. A second YAML parser must read the same values.

mod decorated;
mod random;

use std::str::FromStr;

use kb_rs::project::{LAYOUT, Project, ProjectFile, Resource};
use proptest::{collection::vec, prelude::*};
use serde_json::Value;

use decorated::{Decorated, Mark, decorate};
use random::{project, step, take};

const KUBEBUILDER: &str = include_str!("../data/project/kubebuilder.yaml");

fn name<T: FromStr>(text: &str) -> T
where
    T::Err: std::fmt::Debug,
{
    text.parse().expect("the tests make valid names")
}

fn record(text: &str) -> Project {
    let file = ProjectFile::parse(text);
    let file = file.unwrap_or_else(|error| panic!("{error}\n{text}"));
    file.project().clone()
}

/// Rewrites, and checks what holds for every rewrite.
fn rewrite(text: &str, wanted: &Project) -> String {
    let file = ProjectFile::parse(text).expect("a valid PROJECT");
    assert_eq!(file.rewrite(file.project()).expect("no change"), text);
    let result = file.rewrite(wanted);
    let result = result.unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(record(&result), *wanted, "\n{text}\n->\n{result}");
    both_parsers(&result);
    result
}

/// The values of a text, which two parsers must agree on.
fn both_parsers(text: &str) -> Value {
    let first: Value = serde_saphyr::from_str(text).expect("valid for serde-saphyr");
    let second: Value = serde_yaml::from_str(text).expect("valid for serde_yaml");
    assert_eq!(first, second, "\n{text}");
    first
}

#[test]
fn a_file_in_kubebuilders_form_is_read() {
    let project = record(KUBEBUILDER);
    assert_eq!(project.cli_version.as_deref(), Some("4.5.0"));
    assert_eq!(project.layout, [LAYOUT]);
    assert_eq!(project.resources.len(), 3);
    let [cron_job, deployment, certificate] = &project.resources[..] else {
        panic!("three resources");
    };
    assert!(cron_job.controller && cron_job.api.as_ref().is_some_and(|api| api.namespaced));
    assert_eq!(deployment.controllers.len(), 2);
    assert!(deployment.core && certificate.external);
    assert_eq!(certificate.group, None);
}

#[test]
fn an_edit_changes_the_lines_it_must_and_no_other() {
    let mut wanted = record(KUBEBUILDER);
    wanted.multigroup = true;
    wanted.kb_source = Some("path:../kb".to_owned());
    wanted.resources[1].controllers.push(name("pilot"));
    let mut added = wanted.resources[0].clone();
    added.kind = name("Backup");
    wanted.resources.push(added);
    wanted.resources.remove(2);

    let result = rewrite(KUBEBUILDER, &wanted);
    let expected = KUBEBUILDER
        .replace("plugins:\n", "multigroup: true\nplugins:\n")
        .replace(
            "projectName:",
            "  rust.kb-rs.dev/v1:\n    kbSource: path:../kb\nprojectName:",
        )
        .replace(
            "    owner: storage\n",
            "    owner: storage\n  - name: pilot\n",
        );
    let (head, _) = expected
        .split_once("- controller: true\n")
        .expect("the certificate");
    let backup = "- api:\n    crdVersion: v1\n    namespaced: true\n  controller: true\n  \
                  domain: tutorial.kubebuilder.io\n  group: batch\n  kind: Backup\n  \
                  path: tutorial.kubebuilder.io/project/api/v1\n  version: v1\n";
    let tail = "team: platform # an extension of ours\nversion: \"3\"\n";
    assert_eq!(result, format!("{head}{backup}{tail}"));
}

#[test]
fn an_edit_taken_back_gives_the_first_text() {
    let first = record(KUBEBUILDER);
    let mut wanted = first.clone();
    wanted.namespaced = true;
    wanted.kb_source = Some("registry".to_owned());
    let mut added = wanted.resources[2].clone();
    added.kind = name("Issuer");
    wanted.resources.push(added);
    wanted.resources[0].controllers.push(name("second"));
    wanted.resources[0].plural = Some(name("cronjobs"));
    let there = rewrite(KUBEBUILDER, &wanted);
    assert_eq!(rewrite(&there, &first), KUBEBUILDER);
}

/// Every mark whose resource was never removed is found, once.
fn check_marks(marks: &[Mark], removed: &[Resource], text: &str) {
    let values = both_parsers(text);
    for mark in marks {
        let gone = |owner: &Resource| removed.iter().any(|other| other.is_same_kind(owner));
        if mark.owner.as_ref().is_some_and(gone) {
            continue;
        }
        if !mark.field {
            assert_eq!(text.matches(&mark.text).count(), 1, "{mark:?} in\n{text}");
            continue;
        }
        let place = match &mark.owner {
            None => &values,
            Some(owner) => {
                let items = values["resources"].as_array().expect("a list");
                let twin = items.iter().find(|item| {
                    let is = |key: &str, value: Option<String>| {
                        item[key].as_str().map(str::to_owned) == value
                    };
                    is("kind", Some(owner.kind.to_string()))
                        && is("version", Some(owner.version.to_string()))
                        && is("group", owner.group.as_ref().map(ToString::to_string))
                        && is("domain", owner.domain.as_ref().map(ToString::to_string))
                });
                twin.expect("the resource")
            }
        };
        assert_eq!(
            place[&mark.text],
            serde_json::json!([1, "two", { "three": 4 }]),
            "{text}"
        );
        assert_eq!(
            place[format!("{}-note", mark.text)],
            "# of the note\n",
            "{text}"
        );
    }
}

proptest! {
    // A quarter of the usual number, which PROPTEST_CASES sets: a case parses its text some fifty times.
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases / 4,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_rendered_project_is_read_back(project in project()) {
        let text = project.render();
        prop_assert_eq!(&record(&text), &project);
        both_parsers(&text);
        let keys: Vec<&str> = text.lines().filter(|line| line.starts_with(char::is_alphabetic)).collect();
        prop_assert!(keys.is_sorted(), "{}", text);
    }

    #[test]
    fn edits_keep_comments_and_unknown_fields(
        project in project(),
        choices in vec(any::<[bool; 4]>(), 1..40),
        [indented, crlf, open] in any::<[bool; 3]>(),
        steps in vec(step(), 1..8),
    ) {
        let Decorated { text, marks } = decorate(&project, &choices, indented, crlf, open);
        prop_assert_eq!(&record(&text), &project);
        check_marks(&marks, &[], &text);
        let (mut result, mut wanted) = (text.clone(), project.clone());
        let mut removed = Vec::new();
        for step in steps {
            take(&mut wanted, step);
            removed.extend(record(&result).resources.into_iter().filter(|old| {
                !wanted.resources.iter().any(|new| new.is_same_kind(old))
            }));
            result = rewrite(&result, &wanted);
            check_marks(&marks, &removed, &result);
            prop_assert_eq!(result.ends_with('\n'), !open);
            prop_assert!(!crlf || !result.replace("\r\n", "").contains('\n'));
        }
        let at_once = rewrite(&text, &wanted);
        check_marks(&marks, &removed, &at_once);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "([a-z:#\\[\\]{}&*\"'| \n-]|version: 3\n|layout: rust.kb-rs.dev/v1\n){0,40}") {
        let _ = ProjectFile::parse(&text);
    }
}
