//! Builds CRDs from definitions, merging the versions of a kind.

use std::collections::BTreeMap;
use std::thread;

use serde_json::{Value, json};

use super::definition::{MAX_BYTES, size_above};
use super::{Crd, Definition, Location, Options, Problem, names, version};
use crate::{ApiGroup, Kind};

/// Builds one CRD per kind, sorted by group and plural, or returns all problems.
///
/// Versions are sorted by Kubernetes' priority, preferred first. A single version is stored; of several, the one with `storage`, or the only one
/// without `storage = false`.
pub fn build(definitions: &[Definition], options: &Options) -> Result<Vec<Crd>, Vec<Problem>> {
    let (mut crds, mut problems) = build_all(&group_by_kind(definitions), options);
    crds.sort_by(|one, other| (&one.group, &one.plural).cmp(&(&other.group, &other.plural)));
    for pair in crds.windows(2) {
        if let [one, other] = pair
            && one.name() == other.name()
        {
            problems.push(duplicate_plural(one, other));
        }
    }
    // Versions may share types, whose problems are reported once.
    let mut known: Vec<Problem> = Vec::new();
    for problem in problems {
        if !known.iter().any(|other| is_duplicate(other, &problem)) {
            known.push(problem);
        }
    }
    if known.is_empty() {
        Ok(crds)
    } else {
        Err(known)
    }
}

/// Groups the versions by kind, preferred first.
pub(super) fn group_by_kind(definitions: &[Definition]) -> Vec<Vec<&Definition>> {
    let mut kinds: BTreeMap<(&ApiGroup, &Kind), Vec<&Definition>> = BTreeMap::new();
    for definition in definitions {
        let resource = &definition.resource;
        let key = (&resource.group, &resource.kind);
        kinds.entry(key).or_default().push(definition);
    }
    let mut kinds: Vec<Vec<&Definition>> = kinds.into_values().collect();
    for versions in &mut kinds {
        // Kubernetes prefers the greater version.
        versions.sort_by(|one, other| other.resource.version.cmp(&one.resource.version));
    }
    kinds
}

/// Builds the CRDs of many kinds in parallel.
fn build_all(kinds: &[Vec<&Definition>], options: &Options) -> (Vec<Crd>, Vec<Problem>) {
    let build = |kinds: &[Vec<&Definition>]| {
        let mut problems = Vec::new();
        let crds: Vec<Crd> = kinds
            .iter()
            .map(|versions| build_crd(versions, options, &mut problems))
            .collect();
        (crds, problems)
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let mut chunks = kinds.chunks(kinds.len().div_ceil(processors).max(MIN_KINDS_PER_THREAD));
    let first = chunks.next().unwrap_or_default();
    thread::scope(|scope| {
        let others: Vec<_> = chunks
            .map(|chunk| scope.spawn(move || build(chunk)))
            .collect();
        let (mut crds, mut problems) = build(first);
        for other in others {
            let (more, others) = other.join().expect("building a document does not panic");
            crds.extend(more);
            problems.extend(others);
        }
        (crds, problems)
    })
}

/// Fewer kinds are not worth a thread.
const MIN_KINDS_PER_THREAD: usize = 16;

fn is_duplicate(one: &Problem, other: &Problem) -> bool {
    one.location.type_id.is_some()
        && one.location.type_id == other.location.type_id
        && one.location.field == other.location.field
        && one.location.mark == other.location.mark
        && one.message == other.message
}

fn build_crd(versions: &[&Definition], options: &Options, problems: &mut Vec<Problem>) -> Crd {
    let resources: Vec<_> = versions.iter().map(|version| &version.resource).collect();
    let merged = names::merge(&resources, problems);
    version::check_all(&resources, problems);
    let stored = version::stored(&resources);
    let entries: Vec<Value> = versions
        .iter()
        .map(|definition| {
            let stored = stored.contains(&&definition.resource.version);
            version::entry(definition, stored, options, problems)
        })
        .collect();
    let first = resources[0];
    let mut crd = Crd {
        group: first.group.clone(),
        kind: first.kind.clone(),
        plural: first.plural.clone(),
        document: Value::Null,
    };
    // Moves large values, which `json!` would copy.
    let mut document = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": crd.name() },
        "spec": { "group": first.group.as_str(), "scope": first.scope },
    });
    for (key, pairs) in [
        ("annotations", merged.annotations),
        ("labels", merged.labels),
    ] {
        if !pairs.is_empty() {
            document["metadata"][key] = json!(pairs);
        }
    }
    document["spec"]["names"] = merged.names;
    document["spec"]["versions"] = entries.into();
    crd.document = document;
    if let Some(size) = size_above(MAX_BYTES, &crd.document) {
        let message = format!(
            "the CRD has {size} bytes as JSON, but the API server accepts at most {MAX_BYTES}"
        );
        let help =
            "shorten the descriptions (`--max-desc-len`), or make large embedded types schemaless";
        problems.push(kind_problem(&crd.kind, message, help));
    }
    crd
}

fn duplicate_plural(one: &Crd, other: &Crd) -> Problem {
    let message = format!(
        "`{}` and `{}` have the same plural `{}` in group {}",
        one.kind, other.kind, one.plural, one.group
    );
    kind_problem(&other.kind, message, "set another `plural` for one of them")
}

/// Creates a problem of a kind in all versions.
pub(super) fn kind_problem(kind: &Kind, message: String, help: &str) -> Problem {
    Problem {
        location: Location {
            kind: Some(kind.to_string()),
            ..Location::default()
        },
        message,
        help: Some(help.to_owned()),
    }
}
