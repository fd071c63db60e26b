//! Builds the status and scale subresources of a version.
//!
//! The scale subresource is declared by fields or by paths, not both, and must be complete: the API server rejects an incomplete one.

use serde_json::{Map, Value, json};

use super::Problem;
use super::version::Report;
use crate::api::{Resource, ScalePart, ScalePaths, Type};
use crate::schema::{Contributions, ScaleField, Target, lookup};

type Schema = Map<String, Value>;

/// Returns the subresources, possibly empty.
pub(super) fn build(
    resource: &Resource<Type>,
    schema: &Schema,
    contributions: &Contributions,
    report: &mut Report<'_>,
) -> Map<String, Value> {
    let mut subresources = Map::new();
    if resource.status_subresource {
        subresources.insert("status".to_owned(), json!({}));
    }
    let scale = match &resource.scale {
        Some(paths) => {
            check_paths(paths, schema, contributions, report);
            Some(paths.clone())
        }
        None => paths_from_fields(&contributions.scale, report),
    };
    if let Some(paths) = scale {
        let mut scale = json!({
            "specReplicasPath": paths.spec_replicas,
            "statusReplicasPath": paths.status_replicas,
        });
        if let Some(selector) = paths.selector {
            scale["labelSelectorPath"] = selector.into();
        }
        subresources.insert("scale".to_owned(), scale);
    }
    subresources
}

/// Checks the paths declared on the kind.
fn check_paths(
    paths: &ScalePaths,
    schema: &Schema,
    contributions: &Contributions,
    report: &mut Report<'_>,
) {
    if let Some(field) = contributions.scale.first() {
        report.problems.push(Problem {
            location: field.location.clone(),
            message: "`scale` is set on both the kind and this field".to_owned(),
            help: Some("remove one of them".to_owned()),
        });
    }
    let replicas = [
        ("spec_replicas", Some(&paths.spec_replicas), &[".spec."][..]),
        (
            "status_replicas",
            Some(&paths.status_replicas),
            &[".status."][..],
        ),
        (
            "selector",
            paths.selector.as_ref(),
            &[".spec.", ".status."][..],
        ),
    ];
    for (what, path, roots) in replicas {
        let Some(path) = path else { continue };
        if !roots.iter().any(|root| path.starts_with(root)) {
            let message = format!(
                "`{what}` in `scale` must be a path under `{}`, found `{path}`",
                roots.join("` or `")
            );
            report.problem("scale", message, None);
            continue;
        }
        let expected = if what == "selector" {
            "string"
        } else {
            "integer"
        };
        match lookup(schema, path) {
            Target::Schema(target)
                if target.get("type").and_then(Value::as_str) == Some(expected) => {}
            Target::Open => {}
            Target::Schema(_) => {
                let message = format!(
                    "`{what}` in `scale` refers to `{path}`, which is not of type {expected}"
                );
                report.problem("scale", message, None);
            }
            Target::Missing => {
                let message = format!("`{what}` in `scale` refers to an unknown field `{path}`");
                report.problem("scale", message, None);
            }
            Target::Unsupported => {
                let message = format!(
                    "invalid path `{path}` for `{what}` in `scale`: only names and dots are allowed"
                );
                report.problem("scale", message, None);
            }
        }
    }
}

/// Returns the paths declared by fields, if complete.
fn paths_from_fields(fields: &[ScaleField], report: &mut Report<'_>) -> Option<ScalePaths> {
    let first = fields.first()?;
    let mut find_one = |part: ScalePart, in_status: Option<bool>| {
        let mut matching = fields.iter().filter(|field| {
            field.part == part && in_status.is_none_or(|expected| field.in_status == expected)
        });
        let first = matching.next();
        for duplicate in matching {
            let message = format!(
                "duplicate `scale({})`: on `{}` and on `{}`",
                if part == ScalePart::Replicas {
                    "replicas"
                } else {
                    "selector"
                },
                first.map_or("", |first| first.path.as_str()),
                duplicate.path
            );
            report.problems.push(Problem {
                location: duplicate.location.clone(),
                message,
                help: Some("remove one of them".to_owned()),
            });
        }
        first.map(|field| field.path.clone())
    };
    let spec_replicas = find_one(ScalePart::Replicas, Some(false));
    let status_replicas = find_one(ScalePart::Replicas, Some(true));
    let selector = find_one(ScalePart::Selector, None);
    for (path, what, of) in [
        (&spec_replicas, "desired replicas", "spec"),
        (&status_replicas, "observed replicas", "status"),
    ] {
        if path.is_none() {
            report.problems.push(Problem {
                location: first.location.clone(),
                message: format!(
                    "the scale subresource requires the {what}, but no field of the {of} declares them"
                ),
                help: Some(format!(
                    "add `#[kb(scale(replicas))]` to an integer field of the {of}"
                )),
            });
        }
    }
    Some(ScalePaths {
        spec_replicas: spec_replicas?,
        status_replicas: status_replicas?,
        selector,
    })
}
