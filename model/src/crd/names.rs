//! Merges the names, scope, annotations and labels of the versions of a kind.
//!
//! Names and scope must be equal in all versions. Short names and categories can be omitted, but must be equal where present. Annotations and labels
//! are combined. (controller-gen uses those it reads last.)

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Problem;
use super::build::kind_problem;
use crate::api::{Resource, Type};

/// Merged properties.
pub(super) struct Merged<'a> {
    pub(super) names: Value,
    pub(super) annotations: BTreeMap<&'a str, &'a str>,
    pub(super) labels: BTreeMap<&'a str, &'a str>,
}

/// Merges the properties of at least one version.
pub(super) fn merge<'a>(
    versions: &[&'a Resource<Type>],
    problems: &mut Vec<Problem>,
) -> Merged<'a> {
    let first = versions[0];
    for other in &versions[1..] {
        for (what, one, two) in [
            ("plural", first.plural.as_str(), other.plural.as_str()),
            ("singular", first.singular.as_str(), other.singular.as_str()),
            (
                "list_kind",
                first.list_kind.as_str(),
                other.list_kind.as_str(),
            ),
            ("scope", scope(first), scope(other)),
        ] {
            if one != two {
                report_difference(first, other, what, one, two, problems);
            }
        }
    }
    let short_names = merge_lists(
        versions,
        "short_names",
        |version| &version.short_names,
        problems,
    );
    let categories = merge_lists(
        versions,
        "categories",
        |version| &version.categories,
        problems,
    );
    check_names(first, short_names, categories, problems);
    let annotations = merge_maps(
        versions,
        "annotations",
        |version| &version.annotations,
        problems,
    );
    check_approval(first, &annotations, problems);
    Merged {
        names: names_json(first, short_names, categories),
        annotations,
        labels: merge_maps(versions, "labels", |version| &version.labels, problems),
    }
}

/// Returns `names` of the document.
fn names_json(first: &Resource<Type>, short_names: &[String], categories: &[String]) -> Value {
    let mut names = Map::new();
    names.insert("kind".to_owned(), first.kind.as_str().into());
    names.insert("listKind".to_owned(), first.list_kind.as_str().into());
    names.insert("plural".to_owned(), first.plural.as_str().into());
    names.insert("singular".to_owned(), first.singular.as_str().into());
    for (key, list) in [("shortNames", short_names), ("categories", categories)] {
        if !list.is_empty() {
            names.insert(key.to_owned(), list.into());
        }
    }
    names.into()
}

fn check_approval(
    first: &Resource<Type>,
    annotations: &BTreeMap<&str, &str>,
    problems: &mut Vec<Problem>,
) {
    if first.group.is_protected() && !annotations.contains_key(APPROVAL_ANNOTATION) {
        let message = format!(
            "the group {} is reserved for the Kubernetes project: its CRDs require the annotation `{APPROVAL_ANNOTATION}`",
            first.group
        );
        let help = "use another group, or set the annotation to the URL of the approval";
        problems.push(kind_problem(&first.kind, message, help));
    }
}

const APPROVAL_ANNOTATION: &str = "api-approved.kubernetes.io";

fn scope(resource: &Resource<Type>) -> &'static str {
    match resource.scope {
        crate::api::Scope::Namespaced => "Namespaced",
        crate::api::Scope::Cluster => "Cluster",
    }
}

fn report_difference(
    one: &Resource<Type>,
    other: &Resource<Type>,
    what: &str,
    first: &str,
    second: &str,
    problems: &mut Vec<Problem>,
) {
    let message = format!(
        "versions {} and {} have different values of `{what}`: \"{first}\" and \"{second}\"",
        one.version, other.version
    );
    let mut problem = kind_problem(&one.kind, message, "use the same value in all versions");
    problem.location.mark = Some(what.to_owned());
    problems.push(problem);
}

/// Returns the list of the versions that have one.
fn merge_lists<'a>(
    versions: &[&'a Resource<Type>],
    what: &str,
    get: impl Fn(&'a Resource<Type>) -> &'a Vec<String>,
    problems: &mut Vec<Problem>,
) -> &'a [String] {
    let mut present = versions.iter().filter(|version| !get(version).is_empty());
    let Some(first) = present.next() else {
        return &[];
    };
    for other in present {
        let (one, two) = (get(first), get(other));
        if one != two {
            report_difference(
                first,
                other,
                what,
                &one.join(", "),
                &two.join(", "),
                problems,
            );
        }
    }
    get(first)
}

fn merge_maps<'a>(
    versions: &[&'a Resource<Type>],
    what: &str,
    get: impl Fn(&'a Resource<Type>) -> &'a BTreeMap<String, String>,
    problems: &mut Vec<Problem>,
) -> BTreeMap<&'a str, &'a str> {
    let mut all: BTreeMap<&str, (&Resource<Type>, &str)> = BTreeMap::new();
    for version in versions {
        for (key, value) in get(version) {
            let (first, existing) = *all.entry(key).or_insert((version, value));
            if existing != value {
                let what = format!("{what}(\"{key}\")");
                report_difference(first, version, &what, existing, value, problems);
            }
        }
    }
    all.into_iter()
        .map(|(key, (_, value))| (key, value))
        .collect()
}

/// Checks names without a type of their own against the API server's rules.
fn check_names(
    resource: &Resource<Type>,
    short_names: &[String],
    categories: &[String],
    problems: &mut Vec<Problem>,
) {
    let mut reject = |what: &str, message: String| {
        let help = "use lower-case letters, digits and '-', starting with a letter";
        let mut problem = kind_problem(&resource.kind, message, help);
        problem.location.mark = Some(what.to_owned());
        problems.push(problem);
    };
    let lower = resource.list_kind.to_ascii_lowercase();
    let single = [("singular", &resource.singular), ("list_kind", &lower)];
    let lists = short_names
        .iter()
        .map(|name| ("short_names", name))
        .chain(categories.iter().map(|name| ("categories", name)));
    for (what, name) in single.into_iter().chain(lists) {
        if !is_label(name) {
            reject(what, format!("invalid name \"{name}\" in `{what}`"));
        }
    }
    if resource.list_kind == resource.kind.as_str() {
        reject(
            "list_kind",
            format!("`list_kind` must differ from the kind, `{}`", resource.kind),
        );
    }
    if let Err(error) = resource.group.check_custom() {
        let mut problem = kind_problem(&resource.kind, error.to_string(), error.help());
        problem.location.mark = Some("group".to_owned());
        problems.push(problem);
    }
}

/// A DNS-1035 label.
fn is_label(name: &str) -> bool {
    name.len() <= 63
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-')
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}
