//! Finds the fields of a live object that differ from the desired state, and the other field managers that own them.
//!
//! Used for log messages only, so approximate: list items are identified by position.

use std::{collections::BTreeSet, fmt};

use serde_json::{Map, Value};

/// Maximum number of reported fields.
const MAX_FIELDS: usize = 10;

/// Fields that differ and the managers that own them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FieldConflict {
    /// Paths such as `spec.replicas`.
    pub(super) fields: Vec<String>,
    /// Without our own field manager.
    pub(super) managers: BTreeSet<String>,
}

/// Element of a field path.
#[derive(Debug, Clone)]
enum PathElement {
    Field(String),
    Index(usize),
}

impl fmt::Display for PathElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

impl FieldConflict {
    /// Compares desired fields with a live object that has all of its managed fields.
    pub(super) fn new(desired: &Value, live: &Value, manager: &str) -> Self {
        let mut differing = Vec::new();
        compare(desired, Some(live), &mut Vec::new(), &mut differing);
        let entries = live["metadata"]["managedFields"].as_array();
        let owner = |entry: &Value| {
            let other = entry["manager"].as_str()?;
            let owns = |path: &Vec<PathElement>| owns(&entry["fieldsV1"], path);
            (other != manager && differing.iter().any(owns)).then(|| other.to_owned())
        };
        let managers = entries.into_iter().flatten().filter_map(owner).collect();
        let fields = differing.iter().take(MAX_FIELDS).map(|path| {
            let path: String = path.iter().map(PathElement::to_string).collect();
            path.trim_start_matches('.').to_owned()
        });
        Self {
            fields: fields.collect(),
            managers,
        }
    }
}

/// Collects the paths of all values that differ.
fn compare(
    desired: &Value,
    live: Option<&Value>,
    path: &mut Vec<PathElement>,
    differing: &mut Vec<Vec<PathElement>>,
) {
    match (desired, live) {
        (desired, Some(live)) if desired == live => {}
        (Value::Null, None) => {}
        (Value::Object(desired), Some(Value::Object(live))) => {
            for (name, value) in desired {
                path.push(PathElement::Field(name.clone()));
                compare(value, live.get(name), path, differing);
                path.pop();
            }
        }
        (Value::Array(desired), Some(Value::Array(live))) if desired.len() == live.len() => {
            for (index, (value, live)) in desired.iter().zip(live).enumerate() {
                path.push(PathElement::Index(index));
                compare(value, Some(live), path, differing);
                path.pop();
            }
        }
        _ => differing.push(path.clone()),
    }
}

/// Returns whether a `FieldsV1` contains a path, compared up to the first list.
fn owns(set: &Value, path: &[PathElement]) -> bool {
    let mut set = set;
    for (depth, element) in path.iter().enumerate() {
        // A leaf is owned with everything below it.
        if depth > 0 && set.as_object().is_some_and(Map::is_empty) {
            return true;
        }
        let PathElement::Field(name) = element else {
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
    fn reports_fields_that_differ_and_their_managers() {
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
        let conflict = FieldConflict::new(&desired, &live, "us");
        let fields = ["spec.replicas", "spec.template.containers[0].image"];
        assert_eq!(conflict.fields, fields);
        let managers: Vec<_> = conflict.managers.iter().collect();
        assert_eq!(managers, ["atomic", "scaler", "updater"]);
    }

    #[test]
    fn equal_fields_are_not_reported() {
        let live = json!({"metadata": {}, "data": {"k": "v", "more": "x"}});
        assert_eq!(
            FieldConflict::new(&json!({"data": {"k": "v"}}), &live, "us"),
            FieldConflict::default()
        );
    }
}
