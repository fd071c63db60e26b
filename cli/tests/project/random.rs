//! Random projects and random changes to them.

use std::str::FromStr;

use kb_model::Gvk;
use kb_rs::project::{Api, Controller, Image, LAYOUT, Project, Resource};
use proptest::{collection::vec, option, prelude::*};
use serde_json::{Map, Value};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9./@:-]{1,12}",
        "\\PC{1,12}",
        "[ #:'\"\\[{&*!|>%@`,?~\n-]{1,6}",
        Just("on".to_owned())
    ]
}

/// Generates valid names that match the pattern.
fn name<T: FromStr + std::fmt::Debug>(pattern: &'static str) -> impl Strategy<Value = T> {
    pattern.prop_filter_map("a valid name", |text| text.parse().ok())
}

fn api() -> impl Strategy<Value = Api> {
    any::<bool>().prop_map(|namespaced| Api {
        crd_version: "v1".to_owned(),
        namespaced,
    })
}

/// Generates fields that no version of kb-rs knows.
fn unknown() -> impl Strategy<Value = Map<String, Value>> {
    let scalar = prop_oneof![
        text().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    let value = scalar.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec(("[a-z]{1,4}", inner), 0..3).prop_map(Value::from_iter),
        ]
    });
    let fields = vec(("unknown-[a-z]{1,4}", value), 0..3);
    fields.prop_map(|fields| fields.into_iter().collect())
}

fn owns() -> impl Strategy<Value = Vec<Gvk>> {
    let gvk = (
        option::of(name("[a-z]{1,5}")),
        name("v[1-9]"),
        name("[A-Z][a-z]{1,5}"),
    );
    let gvk = gvk.prop_map(|(group, version, kind)| Gvk {
        group,
        version,
        kind,
    });
    vec(gvk, 0..3)
}

prop_compose! {
    fn image()(
        reference in name("[a-z\\[][a-z0-9./:@\\[\\]+_-]{0,20}"),
        container_port in option::of(name("[1-9][0-9]{0,3}")),
        container_command in option::of(name("(on|~|- |\\PC{1,8})(,\\PC{1,8}){0,2}")),
        run_as_user in option::of(name("[1-9][0-9]{0,8}")),
    ) -> Image {
        Image { reference, container_port, container_command, run_as_user }
    }
}

prop_compose! {
    fn controller()(
        name in name("[a-z]{3,6}"), owns in owns(), finalizer in any::<bool>(), unknown in unknown(),
    ) -> Controller {
        Controller { name, owns, finalizer, unknown }
    }
}

prop_compose! {
    fn resource()(
        group in option::of(name("[a-z]{1,5}")),
        domain in option::of(name("[a-z]{1,5}\\.(com|io)")),
        (version, kind) in (name("v[1-9](alpha[1-9]|beta[1-9])?"), name("[A-Z][a-z]{1,5}")),
        plural in option::of(name("[a-z]{2,8}")),
        path in option::of("[a-z]{1,5}(::[a-z]_[a-z0-9]{1,5}){0,2}"),
        (module, api, image) in (option::of(text()), option::of(api()), option::of(image())),
        (mut controllers, owns) in (vec(controller(), 0..3), owns()),
        [controller, core, external, finalizer] in any::<[bool; 4]>(),
        unknown in unknown(),
    ) -> Resource {
        controllers.sort_by(|a, b| a.name.as_str().cmp(b.name.as_str()));
        controllers.dedup_by(|a, b| a.name == b.name);
        Resource {
            group, domain, version, kind, plural, path, api, image, controller, owns, finalizer, controllers, core, external, module, unknown,
        }
    }
}

prop_compose! {
    pub(crate) fn project()(
        (cli_version, repo, kb_source) in (option::of(text()), option::of(text()), option::of(text())),
        (name, domain) in (name("[a-z]{2,8}"), option::of(name("[a-z]{1,5}\\.(com|io)"))),
        more in vec("[a-z]{1,5}\\.io/v[1-9]", 0..2),
        [multigroup, namespaced] in any::<[bool; 2]>(),
        resources in vec(resource(), 0..5),
        unknown in unknown(),
    ) -> Project {
        let layout = std::iter::once(LAYOUT.to_owned()).chain(more).collect();
        let mut project = Project {
            cli_version, domain, layout, multigroup, namespaced, repo, kb_source, unknown, ..Project::new(name)
        };
        for resource in resources {
            project.apply(Change::Add(Box::new(resource)));
        }
        project
    }
}

/// A change to a project.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Add(Box<Resource>),
    Remove(usize),
    Multigroup,
    Controller(usize),
    AddController(usize, Controller),
    RemoveController(usize),
    KbSource(Option<String>),
    Api(usize, Option<Api>),
    Image(usize, Option<Image>),
}

pub(crate) fn change() -> impl Strategy<Value = Change> {
    let index = 0..5_usize;
    prop_oneof![
        resource().prop_map(|resource| Change::Add(Box::new(resource))),
        index.clone().prop_map(Change::Remove),
        Just(Change::Multigroup),
        index.clone().prop_map(Change::Controller),
        (index.clone(), controller()).prop_map(|(index, new)| Change::AddController(index, new)),
        index.clone().prop_map(Change::RemoveController),
        option::of(text()).prop_map(Change::KbSource),
        (index.clone(), option::of(api())).prop_map(|(index, api)| Change::Api(index, api)),
        (index, option::of(image())).prop_map(|(index, image)| Change::Image(index, image)),
    ]
}

pub(crate) trait Apply {
    fn apply(&mut self, change: Change);
}

impl Apply for Project {
    fn apply(&mut self, change: Change) {
        let resources = &mut self.resources;
        let count = resources.len();
        match change {
            Change::Add(resource) => {
                if !resources.iter().any(|other| other.is_same_kind(&resource)) {
                    resources.push(*resource);
                }
            }
            Change::Multigroup => self.multigroup = !self.multigroup,
            Change::KbSource(source) => self.kb_source = source,
            _ if resources.is_empty() => {}
            Change::Remove(index) => drop(resources.remove(index % count)),
            Change::Controller(index) => {
                let resource = &mut resources[index % count];
                resource.controller = !resource.controller;
            }
            Change::AddController(index, new) => {
                let controllers = &mut resources[index % count].controllers;
                if controllers.iter().all(|other| other.name != new.name) {
                    controllers.push(new);
                }
            }
            Change::RemoveController(index) => {
                drop(resources[index % count].controllers.pop());
            }
            Change::Api(index, api) => resources[index % count].api = api,
            Change::Image(index, image) => resources[index % count].image = image,
        }
    }
}
