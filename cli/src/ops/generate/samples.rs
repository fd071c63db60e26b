//! Updates samples after changes of their types, unless the user edited or removed them.
//!
//! A sample is untouched if it equals the scaffolded one, or the one derived from the previous CRD. So samples need no mark, and only
//! those of changed CRDs are read.

use kb_model::{ApiGroup, Version, crd::Crd};
use kb_templates::Templates;
use serde_json::{Map, Value};

use super::OutputDir;
use crate::{
    ops::{layout, sample},
    plan::{Edit, FileState, Plan, RelPath, Snapshot},
    project::{Project, Resource},
    yaml,
};

/// The samples of changed CRDs.
#[derive(Debug)]
pub(super) struct Samples<'a>(Vec<Sample<'a>>);

#[derive(Debug)]
struct Sample<'a> {
    path: RelPath,
    project: &'a Project,
    resource: &'a Resource,
    crd: &'a Crd,
}

impl<'a> Samples<'a> {
    /// Returns the samples of the recorded kinds, one per version.
    pub(super) fn of(changed: &[&'a Crd], project: &'a Project) -> Self {
        let own = project.resources.iter().filter(|one| one.api.is_some());
        let samples = own.filter_map(|resource| {
            let group = resource.group.as_ref();
            let api_group = resource.api_group().ok()?;
            let is_meant = |crd: &&&Crd| crd.kind == resource.kind && crd.group == api_group;
            let crd = changed.iter().find(is_meant)?;
            let (version, kind) = (&resource.version, &resource.kind);
            let name = layout::sample_name(group, &api_group, version, kind);
            Some(Sample {
                path: layout::sample_file(&name),
                project,
                resource,
                crd,
            })
        });
        Self(samples.collect())
    }

    /// Returns their files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &RelPath> {
        self.0.iter().map(|sample| &sample.path)
    }

    /// Adds updates of untouched samples to the plan. `snapshot` must contain them and the current CRDs.
    pub(super) fn plan(&self, snapshot: &Snapshot, plan: &mut Plan) {
        let mut templates = Templates::default();
        for sample in &self.0 {
            // A read-only sample counts as edited.
            let FileState::File(before) = snapshot.get(&sample.path) else {
                continue;
            };
            let crd = OutputDir::of_crds().file(&sample.crd.file_name());
            let crd = snapshot.get(&crd).text();
            if let Some(text) = sample.update(before, crd, &mut templates) {
                let expected = before.clone();
                plan.edit(sample.path.clone(), Edit::Rewrite { expected, text });
            }
        }
    }
}

impl Sample<'_> {
    /// Returns the new text, from the current text and the previous CRD, or `None` if it does not change.
    fn update(
        &self,
        before: &str,
        crd_before: Option<&str>,
        templates: &mut Templates,
    ) -> Option<String> {
        let after = self.text(&self.fields(&self.crd.document)?, templates);
        // git may have converted the line endings.
        let unix = before.replace("\r\n", "\n");
        if after == unix {
            return None;
        }
        let scaffolded = sample::scaffolded_fields(self.resource.image.as_ref());
        if self.text(&scaffolded, templates) != unix {
            let crd = crd_before.and_then(yaml::read)?;
            let derived = self.text(&self.fields(&crd)?, templates);
            if derived != unix {
                return None;
            }
        }
        let is_windows = unix.len() < before.len();
        Some(if is_windows {
            after.replace('\n', "\r\n")
        } else {
            after
        })
    }

    fn fields(&self, crd: &Value) -> Option<Map<String, Value>> {
        fields(crd, &self.resource.version)
    }

    fn text(&self, fields: &Map<String, Value>, templates: &mut Templates) -> String {
        text(
            self.project,
            self.resource,
            &self.crd.group,
            fields,
            templates,
        )
    }
}

/// Returns whether a sample is the one that `generate` derives from the CRD.
pub(crate) fn is_untouched_sample(
    sample: &str,
    crd: &str,
    resource: &Resource,
    project: &Project,
) -> bool {
    let group = resource.api_group();
    let fields = yaml::read(crd).and_then(|crd| fields(&crd, &resource.version));
    let (Ok(group), Some(fields)) = (group, fields) else {
        return false;
    };
    let derived = text(
        project,
        resource,
        &group,
        &fields,
        &mut Templates::default(),
    );
    derived == sample.replace("\r\n", "\n")
}

/// Returns the sample fields that a CRD leads to, or `None` if it lacks the version.
fn fields(crd: &Value, version: &Version) -> Option<Map<String, Value>> {
    let mut versions = crd["spec"]["versions"].as_array()?.iter();
    let version = versions.find(|known| known["name"] == version.as_str())?;
    Some(kb_model::sample::sample(
        &version["schema"]["openAPIV3Schema"],
    ))
}

fn text(
    project: &Project,
    resource: &Resource,
    group: &ApiGroup,
    fields: &Map<String, Value>,
    templates: &mut Templates,
) -> String {
    let mut versions = project.resources.iter();
    let first = versions.find(|other| other.api.is_some() && other.is_version_of(resource));
    let object = sample::Object {
        group,
        version: &resource.version,
        kind: &resource.kind,
        is_later_version: first.is_some_and(|first| first.version != resource.version),
    };
    sample::text(project.name.as_str(), object, fields, templates)
}
