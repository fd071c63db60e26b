//! Finds fields that objects would lose between versions.
//!
//! Objects are written in any served version and stored in the storage version, so each served version is compared with it in both directions: a
//! field missing in the storage version is lost on write, a field missing in a served version is lost when a client updates the object in that
//! version.

use std::collections::BTreeSet;

use serde_json::Value;

use super::build::group_by_kind;
use super::{Definition, Location, Options, Problem, version};
use crate::schema::{Builder, Cause, FieldLocations, Loss, losses as compare};

/// Returns the fields that would be lost, except of kinds with a conversion webhook, whose CRD names are in `converted`.
pub fn losses(definitions: &[Definition], converted: &BTreeSet<String>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for versions in group_by_kind(definitions) {
        let first = &versions[0].resource;
        let name = format!("{}.{}", first.plural, first.group);
        if versions.len() > 1 && !converted.contains(&name) {
            compare_versions(&versions, &mut problems);
        }
    }
    problems
}

fn compare_versions(versions: &[&Definition], problems: &mut Vec<Problem>) {
    let resources: Vec<_> = versions.iter().map(|it| &it.resource).collect();
    // Problems of the versions themselves are reported when the CRD is built.
    let [stored] = version::stored(&resources)[..] else {
        return;
    };
    let is_stored = |it: &&&Definition| it.resource.version == *stored;
    let Some(stored) = versions
        .iter()
        .find(is_stored)
        .map(|it| VersionSchema::of(it))
    else {
        return;
    };
    let others = versions
        .iter()
        .filter(|it| !is_stored(it) && it.resource.served);
    for served in others.map(|it| VersionSchema::of(it)) {
        let is_accepted = |loss: &Loss| stored.accepts(&loss.path) || served.accepts(&loss.path);
        let on_write = compare(&served.schema, &stored.schema);
        for loss in on_write.iter().filter(|loss| !is_accepted(loss)) {
            let when = format!("when objects are stored as {}", stored.version);
            problems.push(served.problem(loss, stored.version, &when));
        }
        let on_read = compare(&stored.schema, &served.schema);
        // A different type is reported in one direction only.
        let is_new = |loss: &&Loss| {
            let known = on_write
                .iter()
                .any(|it| it.path == loss.path && is_type(it));
            !(is_accepted(loss) || is_type(loss) && known)
        };
        for loss in on_read.iter().filter(is_new) {
            let when = format!("when clients read and write objects as {}", served.version);
            problems.push(stored.problem(loss, served.version, &when));
        }
    }
}

fn is_type(loss: &Loss) -> bool {
    matches!(loss.cause, Cause::Type { .. })
}

/// One of the two versions.
struct VersionSchema<'a> {
    kind: String,
    version: &'a str,
    schema: Value,
    locations: FieldLocations,
}

impl<'a> VersionSchema<'a> {
    fn of(definition: &'a Definition) -> Self {
        let resource = &definition.resource;
        let kind = format!("{} ({})", resource.kind, resource.version);
        let options = Options::default();
        let mut builder = Builder::with_locations(&definition.types, &options, kind.clone());
        let schema = builder.root(resource).into();
        Self {
            kind,
            version: resource.version.as_str(),
            schema,
            locations: builder.into_field_locations(),
        }
    }

    /// Returns whether a field accepts the loss of itself and its content.
    fn accepts(&self, path: &str) -> bool {
        self.locations
            .lossy
            .iter()
            .any(|lossy| is_within(path, lossy))
    }

    fn problem(&self, loss: &Loss, other: &str, when: &str) -> Problem {
        let message = match loss.cause {
            Cause::Missing => format!("this field is lost {when}: {other} does not have it"),
            Cause::Keys => {
                format!("keys of this map are lost {when}: {other} only has fixed fields")
            }
            Cause::Unknown => {
                format!("unknown fields are lost {when}: {other} does not preserve them")
            }
            Cause::Type { from, to } => {
                format!("this field is {from}, but {to} in {other}, and is not converted")
            }
        };
        let help = format!(
            "add the field to {other}, or accept the loss with `#[kb(lossy = \"reason\")]`"
        );
        Problem {
            location: self.location(&loss.path),
            message,
            help: Some(help),
        }
    }

    /// Returns the field at the path, or the closest enclosing field defined in the project.
    fn location(&self, path: &str) -> Location {
        let enclosing = self
            .locations
            .fields
            .iter()
            .filter(|it| is_within(path, &it.path));
        let innermost = enclosing.max_by_key(|it| it.path.len());
        let (type_id, field) = innermost
            .map(|it| (it.type_id.clone(), it.field.clone()))
            .unwrap_or_default();
        Location {
            kind: Some(self.kind.clone()),
            type_id,
            field,
            mark: None,
            path: path.to_owned(),
        }
    }
}

/// Returns whether a path equals the other or is inside of it.
fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
