//! The part of a PROJECT that kb-rs does not know, as a flat table from path to value.
//!
//! A rewrite compares the tables of both texts: it proves that webhooks, other plugins and whatever else people keep
//! in their PROJECT came through. Items of lists go by their identity, so that the table of one text can be
//! compared with that of a text with more or fewer of them.

use std::collections::BTreeMap;

use super::{
    document::{Content, Node},
    record::{LAYOUT, Project},
};

/// Path to value, for all fields that kb-rs does not know.
pub(crate) type Unknown = BTreeMap<String, String>;

const PROJECT: &[&str] = &[
    "cliVersion",
    "domain",
    "layout",
    "multigroup",
    "namespaced",
    "projectName",
    "repo",
    "version",
];
const RESOURCE: &[&str] = &[
    "controller",
    "core",
    "domain",
    "external",
    "group",
    "kind",
    "module",
    "path",
    "plural",
    "version",
];

/// The unknown fields of a document, whose record is `project`; `kept` says which resources and controllers count.
pub(crate) fn fields(root: &Node, project: &Project, kept: &Project) -> Unknown {
    let mut table = Table(Unknown::new());
    table.rest(root, "", PROJECT, &["plugins", "resources"]);
    if let Some(plugins) = root.get("plugins") {
        table.rest(plugins, "plugins", &[], &[LAYOUT]);
        if let Some(own) = plugins.get(LAYOUT) {
            table.rest(own, LAYOUT, &["kbSource"], &[]);
        }
    }
    let nodes = root.get("resources").map(Node::items).unwrap_or_default();
    for (node, resource) in nodes.iter().zip(&project.resources) {
        let mut twins = kept.resources.iter();
        let Some(twin) = twins.find(|other| other.is_same_kind(resource)) else {
            continue;
        };
        let path = format!("resources[{}]", resource.identity().join(","));
        table.rest(node, &path, RESOURCE, &["api", "controllers"]);
        if let Some(api) = node.get("api") {
            table.rest(
                api,
                &format!("{path}.api"),
                &["crdVersion", "namespaced"],
                &[],
            );
        }
        let items = node.get("controllers").map(Node::items).unwrap_or_default();
        for (item, name) in items.iter().zip(&resource.controllers) {
            if twin.controllers.contains(name) {
                table.rest(item, &format!("{path}.controllers[{name}]"), &["name"], &[]);
            }
        }
    }
    table.0
}

struct Table(Unknown);

impl Table {
    /// All entries of a mapping but the known ones and those that are looked into apart.
    fn rest(&mut self, node: &Node, path: &str, known: &[&str], apart: &[&str]) {
        for entry in node.entries() {
            let name = entry.name();
            if !known.contains(&name) && !apart.contains(&name) {
                self.add(&entry.value, format!("{path}.{name:?}"));
            }
        }
    }

    fn add(&mut self, node: &Node, path: String) {
        match &node.content {
            Content::Scalar { text, style } => {
                self.0.insert(path, format!("{style:?} {text}"));
            }
            Content::Alias => {
                self.0.insert(path, "*".to_owned());
            }
            Content::List { items, .. } => {
                for (index, item) in items.iter().enumerate() {
                    self.add(item, format!("{path}[{index}]"));
                }
                self.0.insert(path, format!("list of {}", items.len()));
            }
            Content::Map { entries, .. } => {
                for entry in entries {
                    self.add(&entry.value, format!("{path}.{:?}", entry.name()));
                }
                self.0.insert(path, format!("mapping of {}", entries.len()));
            }
        }
    }
}
