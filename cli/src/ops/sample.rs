//! The text of a sample, from the fields that are between its metadata and its end.
//!
//! `create api` writes the first one, `generate` those that follow.

use kb_model::{ApiGroup, Kind, Version};
use kb_templates::{
    Templates,
    context::{Sample, SampleFile},
};
use serde_json::{Map, Value, json};

use crate::yaml;

/// The text of a sample with these fields.
pub(super) fn text(
    project: &str,
    group: &ApiGroup,
    version: &Version,
    kind: &Kind,
    fields: &Map<String, Value>,
    templates: &mut Templates,
) -> String {
    let sample = Sample {
        project: project.to_owned(),
        api_version: format!("{group}/{version}"),
        kind: kind.to_string(),
        name: format!("{}-sample", kind.lower()),
        fields: yaml::fields(fields).trim_end().to_owned(),
    };
    templates.render("api/config/samples/SAMPLE.yaml", &SampleFile { sample })
}

/// The fields of a sample of the type that `create api` writes: what the model makes of that type.
pub(super) fn of_new_kind() -> Map<String, Value> {
    let spec = json!({ "foo": "bar" });
    [("spec".to_owned(), spec)].into_iter().collect()
}
