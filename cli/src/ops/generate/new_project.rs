//! The manifests of a new project: `init --api` plans what `generate` would write after it.

use std::collections::{BTreeMap, BTreeSet};

use kb_model::{
    RoleName,
    crd::{self, Options},
};

use super::{Comments, OutputDir, crd_files::texts, role_file, role_text, roles_of};
use crate::{
    plan::{Edit, IfExists, Plan, RelPath},
    source::{self, Files, RuleCache},
};

/// Adds the CRDs and the role to the plan of a new project. `namespaced` is set if the manager watches single namespaces.
pub(crate) fn plan_new_project(namespaced: bool, plan: &mut Plan) {
    let planned = PlannedFiles(plan.new_files());
    let comments = Comments::default();
    let definitions = source::read(&RelPath::new("api"), &planned).map(|read| read.definitions);
    let crds = crd::build(&definitions.unwrap_or_default(), &Options::default());
    let crds = crds.unwrap_or_default();
    for (crd, text) in crds.iter().zip(texts(&crds, &comments)) {
        let path = OutputDir::of_crds().file(&crd.file_name());
        plan.create(path, text, IfExists::Conflict);
    }
    let Ok(read) = source::read_rules(&planned, RuleCache::default()) else {
        return;
    };
    let markers: Vec<_> = read.rules.into_iter().map(|rule| rule.rule).collect();
    let (roles, _) = roles_of(&markers, &RoleName::default(), namespaced);
    let path = role_file(&OutputDir::of_roles());
    if let Some(expected) = planned.0.get(&path) {
        let (expected, text) = (expected.clone(), role_text(&roles, &comments));
        plan.edit(path, Edit::Rewrite { expected, text });
    }
}

/// The files of a plan.
struct PlannedFiles(BTreeMap<RelPath, String>);

impl Files for PlannedFiles {
    fn text(&self, path: &RelPath) -> Result<Option<String>, String> {
        Ok(self.0.get(path).cloned())
    }

    fn entries(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, String> {
        let prefix = dir.map_or(String::new(), |dir| format!("{dir}/"));
        let below = self
            .0
            .keys()
            .filter_map(|path| path.as_str().strip_prefix(&prefix));
        let names: BTreeSet<&str> = below.filter_map(|rest| rest.split('/').next()).collect();
        let full = names.into_iter().map(|name| format!("{prefix}{name}"));
        Ok(full.map(RelPath::new).collect())
    }
}
