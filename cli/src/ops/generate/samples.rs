//! Samples follow their types, for as long as nobody has touched them.
//!
//! A sample that says what `create api` writes, or what the CRD that was there before this run leads to, is kb-rs's own, and is written
//! anew. Any other is the user's, and one that is gone stays gone. So no file has to say whose it is, and only the samples of CRDs that
//! change are looked at.

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

/// The samples of CRDs that change.
#[derive(Debug)]
pub(crate) struct Samples<'a>(Vec<Sample<'a>>);

/// One of them.
#[derive(Debug)]
struct Sample<'a> {
    path: RelPath,
    project: &'a Project,
    resource: &'a Resource,
    crd: &'a Crd,
}

impl<'a> Samples<'a> {
    /// Those of the kinds that PROJECT has, one for each version.
    pub(crate) fn of(changed: &[&'a Crd], project: &'a Project) -> Self {
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

    /// Their files.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &RelPath> {
        self.0.iter().map(|sample| &sample.path)
    }

    /// Adds those that nobody has touched to the plan. `snapshot` holds them, and the CRDs as they are.
    pub(crate) fn plan(&self, snapshot: &Snapshot, plan: &mut Plan) {
        let mut templates = Templates::default();
        for sample in &self.0 {
            // Who has made it read-only has touched it.
            let FileState::File(before) = snapshot.get(&sample.path) else {
                continue;
            };
            let crd = OutputDir::of_crds().file(&sample.crd.file_name());
            let crd = snapshot.get(&crd).text();
            if let Some(text) = sample.following(before, crd, &mut templates) {
                let expected = before.clone();
                plan.edit(sample.path.clone(), Edit::Rewrite { expected, text });
            }
        }
    }
}

impl Sample<'_> {
    /// What becomes of it, from what it says and what the CRD said; none, if it stays.
    fn following(
        &self,
        before: &str,
        crd_before: Option<&str>,
        templates: &mut Templates,
    ) -> Option<String> {
        let after = self.text(&self.fields(&self.crd.document)?, templates);
        // git may have changed the ends of the lines.
        let unix = before.replace("\r\n", "\n");
        if after == unix {
            return None;
        }
        if self.text(&sample::of_new_kind(), templates) != unix {
            let crd = crd_before.and_then(yaml::read)?;
            let followed = self.text(&self.fields(&crd)?, templates);
            if followed != unix {
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

/// Whether a sample says what the CRD leads to: then it is kb-rs's own.
pub(crate) fn follows(sample: &str, crd: &str, resource: &Resource, project: &Project) -> bool {
    let group = resource.api_group();
    let fields = yaml::read(crd).and_then(|crd| fields(&crd, &resource.version));
    let (Ok(group), Some(fields)) = (group, fields) else {
        return false;
    };
    let followed = text(
        project,
        resource,
        &group,
        &fields,
        &mut Templates::default(),
    );
    followed == sample.replace("\r\n", "\n")
}

/// The fields that a CRD leads to; none, if it does not have the version.
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
