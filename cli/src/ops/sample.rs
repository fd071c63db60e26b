//! Renders samples.
//!
//! `create api` scaffolds a sample; `generate` updates it after changes of the type.

use kb_model::{ApiGroup, Kind, Version};
use kb_templates::{
    Templates,
    context::{Sample, SampleFile},
};
use serde_json::{Map, Value, json};

use crate::{project::Image, yaml};

/// The identity of a sample object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Object<'a> {
    pub(super) group: &'a ApiGroup,
    pub(super) version: &'a Version,
    pub(super) kind: &'a Kind,
    /// Whether this is not the first version of the kind.
    pub(super) is_later_version: bool,
}

impl Object<'_> {
    /// Returns `metadata.name`. All versions of a kind share their objects, so each version's sample needs its own name.
    fn name(&self) -> String {
        let kind = self.kind.lower();
        if self.is_later_version {
            format!("{kind}-{}-sample", self.version)
        } else {
            format!("{kind}-sample")
        }
    }
}

/// Renders a sample with these fields.
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

/// Returns the fields of a sample of the scaffolded type, as `generate` would derive them.
pub(super) fn scaffolded_fields(image: Option<&Image>) -> Map<String, Value> {
    let mut spec = match image {
        Some(image) => json!({ "image": image.reference.to_string(), "size": 1 }),
        None => json!({ "foo": "bar" }),
    };
    if let Some(port) = image.and_then(|image| image.container_port) {
        spec["containerPort"] = port.get().into();
    }
    [("spec".to_owned(), spec)].into_iter().collect()
}
