//! Loads the manifests of a project, and plans their files.

use std::collections::BTreeSet;

use kb_model::{crd::Crd, rbac::Role};

use super::{
    Generator, Host, Options, OutputDir, crd_files, crds, role_file, roles, samples::Samples,
};
use crate::{
    ops::Proposal,
    plan::{Plan, Snapshot},
    problem::{Failure, Problems},
    project::Project,
    source::RuleCache,
};

/// The generated manifests, as far as requested.
#[derive(Debug)]
pub(crate) struct Manifests {
    crds: Option<Vec<Crd>>,
    roles: Option<Vec<Role>>,
}

impl Manifests {
    /// Loads the requested manifests. Reports the problems of all of them together.
    pub(crate) fn load(
        options: &Options,
        project: &Project,
        host: &dyn Host,
    ) -> Result<Self, Failure> {
        let mut known = RuleCache::default();
        let crds = options.includes(Generator::Crd).then(|| {
            let has_kinds = project.resources.iter().any(|kind| kind.api.is_some());
            crds::load(&options.crds, has_kinds, host, &mut known)
        });
        let roles = options
            .includes(Generator::Rbac)
            .then(|| roles::load(&options.roles, project.namespaced, known, host));
        match (crds.transpose(), roles.transpose()) {
            (Ok(crds), Ok(roles)) => Ok(Self { crds, roles }),
            (Err(failure), Ok(_)) | (Ok(_), Err(failure)) => Err(failure),
            (Err(one), Err(other)) => Err(one.and(other)),
        }
    }

    /// Returns all documents as one text, and the notes on them.
    pub(crate) fn render(&self, options: &Options) -> (String, Vec<String>) {
        let crds = self.crds.as_deref().unwrap_or_default();
        let notes = crds.iter().flat_map(Crd::notes).chain(self.no_kinds());
        let mut text = crd_files::texts(crds, &options.comments).concat();
        if let Some(roles) = &self.roles {
            text.push_str(&role_file::role_text(roles, &options.comments));
        }
        (text, notes.collect())
    }

    /// Plans all files. Also returns the snapshot that the plan is based on.
    pub(crate) fn propose(
        &self,
        options: &Options,
        project: &Project,
        host: &dyn Host,
    ) -> Result<(Proposal, Snapshot), Failure> {
        let (comments, crd_dir) = (&options.comments, &options.crd_dir);
        let mut files = BTreeSet::new();
        if let Some(crds) = &self.crds {
            files = crd_files::files(crds, crd_dir, host.list(Some(crd_dir.path()))?);
        }
        let role_file = self.roles.as_ref().map(|_| role_file(&options.role_dir));
        let mut snapshot = host.snapshot(files.iter().chain(&role_file).collect());

        let mut plan = Plan::default();
        let mut notes = Vec::new();
        let mut problems = Problems::default();
        if let Some(crds) = &self.crds {
            let planned = crd_files::plan(crds, comments, crd_dir, &files, &snapshot, &mut plan);
            let planned = problems.take(planned).unwrap_or_default();
            notes.extend(planned.notes);
            if *crd_dir == OutputDir::of_crds() {
                let samples = Samples::of(&planned.changed, project);
                snapshot.extend(host.snapshot(samples.paths().collect()));
                samples.plan(&snapshot, &mut plan);
            }
        }
        if let Some(roles) = &self.roles {
            let dir = &options.role_dir;
            problems.take(role_file::plan(roles, comments, dir, &snapshot, &mut plan));
        }
        let problems = problems.into_vec();
        if !problems.is_empty() {
            return Err(Failure::refused(problems));
        }
        let proposal = Proposal {
            plan,
            notes,
            ..Proposal::default()
        };
        Ok((proposal, snapshot))
    }

    /// Returns the note on a project without kinds.
    pub(crate) fn no_kinds(&self) -> Option<String> {
        let crds = self.crds.as_ref()?;
        crds.is_empty()
            .then(|| "the project has no kinds: add one with `kb-rs create api`".to_owned())
    }
}
