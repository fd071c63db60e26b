//! The manifests of a project that is just being made, so that it is whole from the start: what `generate` would write when its files
//! are there.

use std::collections::{BTreeMap, BTreeSet};

use kb_model::{
    RoleName,
    crd::{self, Options},
};

use super::{Comments, OutputDir, crds::texts, role_file, role_text, roles_of};
use crate::{
    plan::{Edit, IfExists, Plan, RelPath},
    source::{self, Files, RuleFiles},
};

/// Adds the CRDs and the role of a plan that starts from nothing. `namespaced` says that the manager sees single namespaces.
pub(crate) fn plan_scaffolded(namespaced: bool, plan: &mut Plan) {
    let planned = Planned(plan.new_files());
    let comments = Comments::default();
    let definitions = source::read(&RelPath::new("api"), &planned).map(|read| read.definitions);
    let crds = crd::build(&definitions.unwrap_or_default(), &Options::default());
    let crds = crds.unwrap_or_default();
    for (crd, text) in crds.iter().zip(texts(&crds, &comments)) {
        let path = OutputDir::of_crds().file(&crd.file_name());
        plan.create(path, text, IfExists::Conflict);
    }
    let Ok(read) = source::read_rules(&planned, RuleFiles::default()) else {
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

/// Files that are not there yet.
struct Planned(BTreeMap<RelPath, String>);

impl Files for Planned {
    fn text(&self, path: &RelPath) -> Result<Option<String>, String> {
        Ok(self.0.get(path).cloned())
    }

    fn entries(&self, folder: Option<&RelPath>) -> Result<Vec<RelPath>, String> {
        let start = folder.map_or(String::new(), |folder| format!("{folder}/"));
        let below = self
            .0
            .keys()
            .filter_map(|path| path.as_str().strip_prefix(&start));
        let names: BTreeSet<&str> = below.filter_map(|rest| rest.split('/').next()).collect();
        let full = names.into_iter().map(|name| format!("{start}{name}"));
        Ok(full.map(RelPath::new).collect())
    }
}
