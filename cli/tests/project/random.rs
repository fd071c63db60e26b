//! Random projects, and random changes to them.

use std::str::FromStr;

use kb_model::ControllerName;
use kb_rs::project::{Api, LAYOUT, Project, Resource};
use proptest::{collection::vec, option, prelude::*};

pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9./@:-]{1,12}",
        "\\PC{1,12}",
        "[ #:'\"\\[{&*!|>%@`,?~\n-]{1,6}",
        Just("on".to_owned())
    ]
}

/// A name that matches the pattern and its own rule.
pub(crate) fn named<T: FromStr + std::fmt::Debug>(
    pattern: &'static str,
) -> impl Strategy<Value = T> {
    pattern.prop_filter_map("a valid name", |text| text.parse().ok())
}

pub(crate) fn api() -> impl Strategy<Value = Api> {
    let crd_version = "v1".to_owned();
    any::<bool>().prop_map(move |namespaced| Api {
        crd_version: crd_version.clone(),
        namespaced,
    })
}

prop_compose! {
    pub(crate) fn resource()(
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
    pub(crate) fn project()(
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

/// A change to a project.
#[derive(Debug, Clone)]
pub(crate) enum Step {
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

pub(crate) fn step() -> impl Strategy<Value = Step> {
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

pub(crate) fn take(project: &mut Project, step: Step) {
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
