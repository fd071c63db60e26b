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

/// The object of a sample.
#[derive(Debug, Clone, Copy)]
pub(super) struct Object<'a> {
    pub(super) group: &'a ApiGroup,
    pub(super) version: &'a Version,
    pub(super) kind: &'a Kind,
    /// Whether the project has had the kind in an earlier version.
    pub(super) is_later_version: bool,
}

impl Object<'_> {
    /// Its `metadata.name`. All versions of a kind share their objects, so the samples of two versions need two names.
    fn name(&self) -> String {
        let kind = self.kind.lower();
        if self.is_later_version {
            format!("{kind}-{}-sample", self.version)
        } else {
            format!("{kind}-sample")
        }
    }
}

/// The text of a sample with these fields.
pub(super) fn text(
    project: &str,
    object: Object<'_>,
    fields: &Map<String, Value>,
    templates: &mut Templates,
) -> String {
    let sample = Sample {
        project: project.to_owned(),
        api_version: format!("{}/{}", object.group, object.version),
        kind: object.kind.to_string(),
        name: object.name(),
        fields: yaml::fields(fields).trim_end().to_owned(),
    };
    templates.render("api/config/samples/SAMPLE.yaml", &SampleFile { sample })
}

/// The fields of a sample of the type that `create api` writes: what the model makes of that type.
pub(super) fn of_new_kind() -> Map<String, Value> {
    let spec = json!({ "foo": "bar" });
    [("spec".to_owned(), spec)].into_iter().collect()
}
