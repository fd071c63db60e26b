//! Which fields of an object differ from what is desired, and which other field managers own them. Pure.
//!
//! It is for people who look for the other side of a fight, so it may be rough: of lists it tells no more than the item by its position.

use std::{collections::BTreeSet, fmt};

use serde_json::{Map, Value};

/// So many are named.
const FIELDS: usize = 10;

/// See the module.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Contest {
    /// As `spec.replicas`.
    pub(super) fields: Vec<String>,
    /// Without our own.
    pub(super) managers: BTreeSet<String>,
}

/// One step into an object.
#[derive(Debug, Clone)]
enum Step {
    Field(String),
    Item(usize),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Item(position) => write!(f, "[{position}]"),
        }
    }
}

impl Contest {
    /// Compares desired fields with a live object that has all of its managed fields.
    pub(super) fn of(desired: &Value, live: &Value, manager: &str) -> Self {
        let mut differing = Vec::new();
        compare(desired, Some(live), &mut Vec::new(), &mut differing);
        let entries = live["metadata"]["managedFields"].as_array();
        let owner = |entry: &Value| {
            let other = entry["manager"].as_str()?;
            let owns = |path: &Vec<Step>| owns(&entry["fieldsV1"], path);
            (other != manager && differing.iter().any(owns)).then(|| other.to_owned())
        };
        let managers = entries.into_iter().flatten().filter_map(owner).collect();
        let fields = differing.iter().take(FIELDS).map(|path| {
            let path: String = path.iter().map(Step::to_string).collect();
            path.trim_start_matches('.').to_owned()
        });
        Self {
            fields: fields.collect(),
            managers,
        }
    }
}

/// Adds the paths of all values that differ.
fn compare(
    desired: &Value,
    live: Option<&Value>,
    path: &mut Vec<Step>,
    differing: &mut Vec<Vec<Step>>,
) {
    match (desired, live) {
        (desired, Some(live)) if desired == live => {}
        (Value::Null, None) => {}
        (Value::Object(desired), Some(Value::Object(live))) => {
            for (name, value) in desired {
                path.push(Step::Field(name.clone()));
                compare(value, live.get(name), path, differing);
                path.pop();
            }
        }
        (Value::Array(desired), Some(Value::Array(live))) if desired.len() == live.len() => {
            for (position, (value, live)) in desired.iter().zip(live).enumerate() {
                path.push(Step::Item(position));
                compare(value, Some(live), path, differing);
                path.pop();
            }
        }
        _ => differing.push(path.clone()),
    }
}

/// Whether a set of fields has a path: up to the first list, whose items it names in its own way.
fn owns(set: &Value, path: &[Step]) -> bool {
    let mut set = set;
    for (depth, step) in path.iter().enumerate() {
        // A leaf is owned with all that is below it.
        if depth > 0 && set.as_object().is_some_and(Map::is_empty) {
            return true;
        }
        let Step::Field(name) = step else {
            return true;
        };
        match set.get(format!("f:{name}")) {
            Some(below) => set = below,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_that_differ_and_their_other_managers_are_named() {
        let desired = json!({
            "metadata": {"labels": {"a": "b"}},
            "spec": {"replicas": 2, "paused": false, "template": {"containers": [{"name": "c", "image": "i:2"}]}},
        });
        let live = json!({
            "metadata": {"labels": {"a": "b"}, "managedFields": [
                {"manager": "us", "fieldsV1": {"f:spec": {"f:replicas": {}}}},
                {"manager": "scaler", "fieldsV1": {"f:spec": {"f:replicas": {}}}},
                {"manager": "updater", "fieldsV1": {"f:spec": {"f:template": {"f:containers": {"k:{\"name\":\"c\"}": {}}}}}},
                {"manager": "atomic", "fieldsV1": {"f:spec": {"f:template": {}}}},
                {"manager": "labeler", "fieldsV1": {"f:metadata": {"f:labels": {}}, "f:spec": {"f:other": {}}}},
            ]},
            "spec": {"replicas": 5, "paused": false, "template": {"containers": [{"name": "c", "image": "i:1"}]}},
        });
        let contest = Contest::of(&desired, &live, "us");
        let fields = ["spec.replicas", "spec.template.containers[0].image"];
        assert_eq!(contest.fields, fields);
        let managers: Vec<_> = contest.managers.iter().collect();
        assert_eq!(managers, ["atomic", "scaler", "updater"]);
    }

    #[test]
    fn what_is_as_desired_is_not_contested() {
        let live = json!({"metadata": {}, "data": {"k": "v", "more": "x"}});
        assert_eq!(
            Contest::of(&json!({"data": {"k": "v"}}), &live, "us"),
            Contest::default()
        );
    }
}
