//! Converts markers to JSON Schema keywords like controller-gen.
//!
//! Supports the markers of Kubernetes' types. Other Kubebuilder markers are errors. controller-gen ignores declarative validation
//! (`+k8s:minimum`, `+k8s:alpha(…)=…`), `+enum`, and defaults that refer to constants (`+default=ref(…)`).

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::entry::Marks;

/// Returns the keywords of markers.
pub(crate) fn keywords(markers: &[String]) -> Result<Marks> {
    let mut marks = Marks::default();
    for marker in markers {
        apply(&mut marks, marker).with_context(|| format!("marker +{marker}"))?;
    }
    Ok(marks)
}

fn apply(marks: &mut Marks, marker: &str) -> Result<()> {
    let (name, value) = marker.split_once('=').unwrap_or((marker, ""));
    if let Some(validation) = name.strip_prefix("kubebuilder:validation:") {
        return validate(marks, validation, value);
    }
    let mut set = |keyword: &str, value: Value| marks.0.insert(keyword.to_owned(), value);
    match name {
        "default" if value.starts_with("ref(") => {}
        "default" | "kubebuilder:default" => {
            set("default", serde_json::from_str(value)?);
        }
        "listType" => {
            set("x-kubernetes-list-type", value.into());
        }
        "mapType" | "structType" => {
            set("x-kubernetes-map-type", value.into());
        }
        "nullable" => {
            set("nullable", true.into());
        }
        "listMapKey" => append(marks, "x-kubernetes-list-map-keys", value.into()),
        "k8s:immutable" => {
            let rule = json!({"message": "field is immutable", "rule": "self == oldSelf"});
            append(marks, "x-kubernetes-validations", rule);
        }
        other if other.starts_with("kubebuilder:") => bail!("unknown marker"),
        _ => {}
    }
    Ok(())
}

fn validate(marks: &mut Marks, name: &str, value: &str) -> Result<()> {
    let text = value.trim_matches(['`', '"']);
    let (keyword, value) = match name {
        // Not keywords of a property.
        "Required" | "Optional" => return Ok(()),
        "Enum" => ("enum", text.split(';').collect()),
        "Format" => ("format", text.into()),
        "MaxLength" => ("maxLength", text.parse::<u64>()?.into()),
        "MinLength" => ("minLength", text.parse::<u64>()?.into()),
        "Minimum" => ("minimum", text.parse::<i64>()?.into()),
        "Pattern" => ("pattern", text.into()),
        "Type" => ("type", text.into()),
        _ => bail!("unknown marker"),
    };
    marks.0.insert(keyword.to_owned(), value);
    Ok(())
}

/// Appends to the list of a keyword.
pub(crate) fn append(marks: &mut Marks, keyword: &str, value: Value) {
    let list = marks.0.entry(keyword.to_owned()).or_insert(json!([]));
    if let Value::Array(values) = list {
        values.push(value);
    }
}

/// Returns whether a field is required: by Kubebuilder markers, then Kubernetes markers, then the JSON tag.
pub(crate) fn required(markers: &[String], omitted_if_empty: bool) -> bool {
    let has = |names: &[&str]| {
        markers
            .iter()
            .any(|marker| names.contains(&marker.as_str()))
    };
    if has(&["kubebuilder:validation:Optional"]) {
        false
    } else if has(&["kubebuilder:validation:Required"]) {
        true
    } else if has(&["optional", "k8s:optional"]) {
        false
    } else {
        has(&["required", "k8s:required"]) || !omitted_if_empty
    }
}
