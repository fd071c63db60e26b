//! PROJECT files, from outside: a real one is read and edited, and random ones keep everything that is the user's.
//!
//! A random project is rendered, its text decorated (comments, blank lines, unknown fields, CRLF, list indentation, no
//! final line end), and edited step by step. After every step the record is the wanted one, and each comment and unknown
//! field is found again unless its resource was removed. A second YAML parser must read the same values.

use std::{fmt::Write as _, str::FromStr};

use kb_model::ControllerName;
use kb_rs::project::{Api, LAYOUT, Project, ProjectFile, Resource};
use proptest::{collection::vec, option, prelude::*};
use serde_json::Value;

const KUBEBUILDER: &str = include_str!("data/project/kubebuilder.yaml");

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

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9./@:-]{1,12}",
        "\\PC{1,12}",
        "[ #:'\"\\[{&*!|>%@`,?~\n-]{1,6}",
        Just("on".to_owned())
    ]
}

/// A name that matches the pattern and its own rule.
fn named<T: FromStr + std::fmt::Debug>(pattern: &'static str) -> impl Strategy<Value = T> {
    pattern.prop_filter_map("a valid name", |text| text.parse().ok())
}

fn api() -> impl Strategy<Value = Api> {
    let crd_version = "v1".to_owned();
    any::<bool>().prop_map(move |namespaced| Api {
        crd_version: crd_version.clone(),
        namespaced,
    })
}

prop_compose! {
    fn resource()(
        group in option::of(named("[a-z]{1,5}")),
        domain in option::of(named("[a-z]{1,5}\\.(com|io)")),
        (version, kind) in (named("v[1-9](alpha[1-9]|beta[1-9])?"), named("[A-Z][a-z]{1,5}")),
        plural in option::of(named("[a-z]{2,8}")),
        (path, module, api) in (option::of(text()), option::of(text()), option::of(api())),
        mut controllers in vec(named("[a-z]{3,6}"), 0..3),
        [controller, core, external] in any::<[bool; 3]>(),
    ) -> Resource {
        controllers.dedup();
        Resource { group, domain, version, kind, plural, path, api, controller, controllers, core, external, module }
    }
}

prop_compose! {
    fn project()(
        (cli_version, repo, kb_source) in (option::of(text()), option::of(text()), option::of(text())),
        (name, domain) in (named("[a-z]{2,8}"), option::of(named("[a-z]{1,5}\\.(com|io)"))),
        more in vec("[a-z]{1,5}\\.io/v[1-9]", 0..2),
        [multigroup, namespaced] in any::<[bool; 2]>(),
        found in vec(resource(), 0..5),
    ) -> Project {
        let layout = std::iter::once(LAYOUT.to_owned()).chain(more).collect();
        let resources = Vec::new();
        let mut project = Project { cli_version, domain, layout, multigroup, namespaced, name, repo, kb_source, resources };
        for resource in found {
            take(&mut project, Step::Add(Box::new(resource)));
        }
        project
    }
}

/// What was put into a text: the mark of a comment or an unknown field, and the resource it belongs to.
#[derive(Debug)]
struct Mark {
    text: String,
    owner: Option<Resource>,
    field: bool,
}

#[derive(Debug)]
struct Decorated {
    text: String,
    marks: Vec<Mark>,
}

/// Per line of the text: whether it gets a comment above, one behind, a blank line, an unknown field.
type Choices = Vec<[bool; 4]>;

fn decorate(
    project: &Project,
    choices: &Choices,
    indented: bool,
    crlf: bool,
    open: bool,
) -> Decorated {
    let mut marks = Vec::new();
    let mut text = String::new();
    let (mut item, mut inside) = (0, false);
    let rendered = project.render();
    for (number, line) in rendered.lines().enumerate() {
        let [above, behind, blank, unknown] = choices[number % choices.len()];
        let top = !line.starts_with([' ', '-', '#']);
        inside = (inside && !top) || line == "resources:";
        item += usize::from(inside && line.starts_with("- "));
        let owner = (inside && !top).then(|| project.resources[item - 1].clone());
        let list = line.trim_start().starts_with('-');
        let shift = if indented && (owner.is_some() || line.starts_with('-')) {
            2
        } else {
            0
        };
        let indent = line.len() - line.trim_start().len() + shift;
        // Comments on what a step may remove go with it.
        let key = line.trim_start_matches([' ', '-']).split(':').next();
        let fleeting = [Some("path"), Some("repo")].contains(&key);
        let (above, behind) = if list && line.starts_with(' ') {
            (false, false)
        } else {
            (above, behind && !fleeting && !line.starts_with('#'))
        };
        let mut mark = |text: String, field: bool| {
            let owner = owner.clone();
            marks.push(Mark {
                text: text.clone(),
                owner,
                field,
            });
            text
        };
        if blank {
            text.push('\n');
        }
        if unknown
            && (top
                || owner.is_some() && line.starts_with("  ") && !line.starts_with("   ") && !list)
        {
            let key = mark(format!("unknown-{number}"), true);
            let value = "[1, two, {three: 4}]\n";
            let note = format!(
                "{:indent$}{key}-note: |\n{:indent$}  # of the note\n",
                "", ""
            );
            let _ = write!(text, "{:indent$}{key}: {value}{note}", "");
        }
        if above {
            let comment = mark(format!("# above-{number}-"), false);
            let _ = writeln!(text, "{:indent$}{comment}", "");
        }
        let _ = write!(text, "{:shift$}{line}", "");
        if behind {
            let comment = mark(format!("# behind-{number}-"), false);
            let _ = write!(text, "  {comment}");
        }
        text.push('\n');
    }
    if crlf {
        text = text.replace('\n', "\r\n");
    }
    if open {
        text.truncate(text.trim_end().len());
    }
    Decorated { text, marks }
}

/// A change to a project.
#[derive(Debug, Clone)]
enum Step {
    Add(Box<Resource>),
    Remove(usize),
    Multigroup,
    Namespaced,
    Controller(usize),
    AddController(usize, ControllerName),
    KbSource(String),
    Api(usize, Api),
    Path(usize, Option<String>),
    RemoveController(usize),
    Repo(Option<String>),
}

fn step() -> impl Strategy<Value = Step> {
    let index = 0..5_usize;
    prop_oneof![
        resource().prop_map(|resource| Step::Add(Box::new(resource))),
        index.clone().prop_map(Step::Remove),
        Just(Step::Multigroup),
        Just(Step::Namespaced),
        index.clone().prop_map(Step::Controller),
        (index.clone(), named("[a-z]{3,6}"))
            .prop_map(|(index, name)| Step::AddController(index, name)),
        text().prop_map(Step::KbSource),
        (index.clone(), api()).prop_map(|(index, api)| Step::Api(index, api)),
        (index.clone(), option::of(text())).prop_map(|(index, path)| Step::Path(index, path)),
        index.prop_map(Step::RemoveController),
        option::of(text()).prop_map(Step::Repo),
    ]
}

fn take(project: &mut Project, step: Step) {
    let resources = &mut project.resources;
    let count = resources.len();
    match step {
        Step::Add(resource) => {
            if !resources.iter().any(|other| other.is_same_kind(&resource)) {
                resources.push(*resource);
            }
        }
        Step::Multigroup => project.multigroup = !project.multigroup,
        Step::Namespaced => project.namespaced = !project.namespaced,
        Step::KbSource(source) => project.kb_source = Some(source),
        Step::Repo(repo) => project.repo = repo,
        _ if resources.is_empty() => {}
        Step::Remove(index) => drop(resources.remove(index % count)),
        Step::Controller(index) => {
            let resource = &mut resources[index % count];
            resource.controller = !resource.controller;
        }
        Step::AddController(index, new) => {
            let controllers = &mut resources[index % count].controllers;
            if !controllers.contains(&new) {
                controllers.push(new);
            }
        }
        Step::Path(index, path) => resources[index % count].path = path,
        Step::RemoveController(index) => drop(resources[index % count].controllers.pop()),
        Step::Api(index, api) => resources[index % count].api = Some(api),
    }
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
