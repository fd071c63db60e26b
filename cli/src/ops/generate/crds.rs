//! Plans the files of the CRDs, and what becomes of those of kinds that are gone.

use std::{collections::BTreeSet, thread};

use kb_model::crd::Crd;

use super::{
    Comments, OutputDir,
    comments::{is_foreign, is_generated},
    kustomization::{self, KUSTOMIZATION},
};
use crate::{
    plan::{FileState, IfExists, Plan, RelPath, Snapshot},
    problem::Problem,
    yaml::Writer,
};

/// The text of each CRD's file. They are written on all processors: of many kinds, this is a good part of the work.
pub(crate) fn texts(crds: &[Crd], comments: &Comments) -> Vec<String> {
    let write = |crds: &[Crd]| -> Vec<String> {
        let mut writer = Writer::default();
        crds.iter()
            .map(|crd| writer.document(comments.as_str(), &crd.document))
            .collect()
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let share = crds.len().div_ceil(processors).max(SMALL);
    thread::scope(|scope| {
        let mut shares = crds.chunks(share);
        let own = shares.next().unwrap_or_default();
        let others: Vec<_> = shares
            .map(|share| scope.spawn(move || write(share)))
            .collect();
        let mut texts = write(own);
        for other in others {
            texts.extend(other.join().expect("writing YAML does not panic"));
        }
        texts
    })
}

/// So few CRDs are not worth a thread.
const SMALL: usize = 8;

/// What a plan for these CRDs looks at; `present` is what the folder holds.
pub(crate) fn files(crds: &[Crd], dir: &OutputDir, present: Vec<RelPath>) -> BTreeSet<RelPath> {
    let is_manifest = |path: &RelPath| path.as_str().rsplit('.').next() == Some("yaml");
    crds.iter()
        .map(|crd| dir.file(&crd.file_name()))
        .chain(present.into_iter().filter(is_manifest))
        .chain([RelPath::new(KUSTOMIZATION)])
        .collect()
}

/// What is to be said of a plan.
#[derive(Debug, Default)]
pub(crate) struct Planned<'a> {
    /// On what is left alone, and on what users should know.
    pub(crate) notes: Vec<String>,
    /// The CRDs whose files are new or change.
    pub(crate) changed: Vec<&'a Crd>,
}

/// Adds the files to the plan. `snapshot` holds what [`files`] named.
pub(crate) fn plan<'a>(
    crds: &'a [Crd],
    comments: &Comments,
    dir: &OutputDir,
    files: &BTreeSet<RelPath>,
    snapshot: &Snapshot,
    plan: &mut Plan,
) -> Result<Planned<'a>, Vec<Problem>> {
    let mut problems = Vec::new();
    let Planned {
        mut notes,
        mut changed,
    } = Planned::default();
    let mut wanted = BTreeSet::new();
    for (crd, text) in crds.iter().zip(texts(crds, comments)) {
        let path = dir.file(&crd.file_name());
        let entry = snapshot.get(&path);
        if entry.text() != Some(&text) {
            changed.push(crd);
        }
        if is_foreign(entry) {
            problems.push(Problem::new(
                format!("{path} exists already, and was not made by `kb-rs generate`"),
                format!("move it away: the CRD of {} goes there", crd.kind),
            ));
        }
        notes.extend(crd.notes());
        wanted.insert(path.clone());
        plan.create(path, text, IfExists::Replace);
    }
    let mut gone = Vec::new();
    for path in files
        .iter()
        .filter(|path| path.as_str() != KUSTOMIZATION && !wanted.contains(path))
    {
        match snapshot.get(path) {
            FileState::File(text) | FileState::ReadOnly(text) if !is_crd(text) => {}
            FileState::File(text) | FileState::ReadOnly(text) if is_generated(text) => {
                plan.remove(path.clone());
                gone.push(path.clone());
            }
            FileState::File(_) | FileState::ReadOnly(_) => {
                notes.push(format!(
                    "{path} was not made by `kb-rs generate`, and stays"
                ));
            }
            _ => {}
        }
    }
    if *dir == OutputDir::of_crds() {
        notes.extend(follow(&wanted, &gone, files, snapshot, plan));
    }
    if problems.is_empty() {
        Ok(Planned { notes, changed })
    } else {
        Err(problems)
    }
}

/// Keeps the list of CRDs for kustomize up to date. Who has no such list wants none.
fn follow(
    wanted: &BTreeSet<RelPath>,
    gone: &[RelPath],
    files: &BTreeSet<RelPath>,
    snapshot: &Snapshot,
    plan: &mut Plan,
) -> Option<String> {
    let name = |path: &RelPath| {
        path.as_str()
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let wanted_names: Vec<String> = wanted.iter().map(name).collect();
    let mut gone: Vec<String> = gone.iter().map(name).collect();
    match snapshot.get(&RelPath::new(KUSTOMIZATION)) {
        FileState::File(text) | FileState::ReadOnly(text) => {
            // Listed, and neither made now nor there: kustomize would fail on it.
            let of_crds = OutputDir::of_crds();
            let is_nowhere = |name: &&str| !files.contains(&of_crds.file(name));
            gone.extend(
                kustomization::listed(text)
                    .filter(is_nowhere)
                    .map(ToOwned::to_owned),
            );
            kustomization::plan(text, &wanted_names, &gone, plan);
            None
        }
        _ => {
            let is_new = wanted
                .iter()
                .any(|path| *snapshot.get(path) == FileState::Missing);
            is_new.then(|| format!("there is no file {KUSTOMIZATION} that could list the new CRDs"))
        }
    }
}

/// Whether the file holds a CRD: other generators have files of their own, maybe in the same folder.
fn is_crd(text: &str) -> bool {
    text.lines()
        .any(|line| line.trim_end() == "kind: CustomResourceDefinition")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::plan::{Action, Overwrite, Resolved, resolve};

    const LIST: &str = "resources:\n- bases/example.com_as.yaml\n# +kb:scaffold:crds\n";

    fn crd(kind: &str) -> Crd {
        let kind: kb_model::Kind = kind.parse().unwrap();
        Crd {
            group: "example.com".parse().unwrap(),
            plural: kind.plural(),
            document: json!({"kind": "CustomResourceDefinition", "spec": {"names": {"kind": kind.as_str()}}}),
            kind,
        }
    }

    fn text(kind: &str) -> String {
        texts(&[crd(kind)], &Comments::default()).concat()
    }

    fn base(plural: &str) -> String {
        format!("config/crd/bases/example.com_{plural}.yaml")
    }

    /// Plans the CRDs of `kinds` in a tree.
    fn planned(
        kinds: &[&str],
        dir: &OutputDir,
        tree: &[(&str, &str)],
    ) -> Result<(Resolved, Vec<String>), Vec<Problem>> {
        let crds: Vec<Crd> = kinds.iter().map(|kind| crd(kind)).collect();
        let snapshot: Snapshot = tree
            .iter()
            .map(|(path, text)| (RelPath::new(*path), FileState::File((*text).to_owned())))
            .collect();
        let folder = format!("{dir}/");
        let present = tree
            .iter()
            .filter(|(path, _)| path.starts_with(&folder))
            .map(|(path, _)| RelPath::new(*path))
            .collect();
        let files = files(&crds, dir, present);
        let mut changes = Plan::default();
        let Planned { notes, .. } = plan(
            &crds,
            &Comments::default(),
            dir,
            &files,
            &snapshot,
            &mut changes,
        )?;
        Ok((
            resolve(&changes, &snapshot, Overwrite::Never).unwrap(),
            notes,
        ))
    }

    fn listed(resolved: &Resolved) -> Vec<(Action, &str)> {
        resolved
            .changes
            .iter()
            .map(|change| (change.action, change.path.as_str()))
            .collect()
    }

    #[test]
    fn new_kinds_are_written_and_listed() {
        let (resolved, notes) =
            planned(&["A", "B"], &OutputDir::of_crds(), &[(KUSTOMIZATION, LIST)]).unwrap();
        let (a, b) = (base("as"), base("bs"));
        assert_eq!(
            listed(&resolved),
            [
                (Action::Create, a.as_str()),
                (Action::Create, &b),
                (Action::Modify, KUSTOMIZATION)
            ]
        );
        assert_eq!(resolved.changes[0].after, text("A"));
        assert!(
            resolved.changes[2]
                .after
                .contains("_as.yaml\n- bases/example.com_bs.yaml\n# +kb")
        );
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn what_is_up_to_date_stays() {
        let (resolved, _) = planned(
            &["A"],
            &OutputDir::of_crds(),
            &[(&base("as"), &text("A")), (KUSTOMIZATION, LIST)],
        )
        .unwrap();
        assert_eq!(listed(&resolved), []);
    }

    #[test]
    fn the_file_of_a_kind_that_is_gone_goes_with_its_line() {
        let tree = [(&*base("as"), &*text("A")), (KUSTOMIZATION, LIST)];
        let (resolved, _) = planned(&[], &OutputDir::of_crds(), &tree).unwrap();
        assert_eq!(
            listed(&resolved),
            [
                (Action::Remove, base("as").as_str()),
                (Action::Modify, KUSTOMIZATION)
            ]
        );
        assert_eq!(
            resolved.changes[1].after,
            "resources:\n# +kb:scaffold:crds\n"
        );
    }

    #[test]
    fn files_of_others_stay() {
        let text_b = text("B");
        let (_, foreign) = text_b.split_once('\n').unwrap();
        let role = text("C").replace("kind: CustomResourceDefinition", "kind: Role");
        let tree = [
            (&*base("bs"), foreign),
            ("config/crd/bases/role.yaml", &role),
            ("config/crd/bases/notes.txt", &text("D")),
            (KUSTOMIZATION, LIST),
        ];
        let (resolved, notes) = planned(&["A"], &OutputDir::of_crds(), &tree).unwrap();
        assert_eq!(listed(&resolved), [(Action::Create, base("as").as_str())]);
        assert_eq!(
            notes,
            [format!(
                "{} was not made by `kb-rs generate`, and stays",
                base("bs")
            )]
        );
    }

    #[test]
    fn a_file_of_somebody_else_at_the_place_of_a_crd_is_a_problem() {
        let problems = planned(
            &["A"],
            &OutputDir::of_crds(),
            &[(&base("as"), "mine: true\n")],
        )
        .unwrap_err();
        assert!(
            problems[0].message.contains("was not made by"),
            "{problems:?}"
        );
    }

    #[test]
    fn another_folder_has_no_list() {
        let dir =
            OutputDir::named(std::path::Path::new("out"), std::path::Path::new("/p")).unwrap();
        let (resolved, notes) = planned(
            &["B"],
            &dir,
            &[(&base("as"), &text("A")), (KUSTOMIZATION, LIST)],
        )
        .unwrap();
        assert_eq!(
            listed(&resolved),
            [(Action::Create, "out/example.com_bs.yaml")]
        );
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn a_missing_list_is_noted_when_a_crd_is_new() {
        let (_, notes) = planned(&["A"], &OutputDir::of_crds(), &[]).unwrap();
        assert!(notes[0].contains(KUSTOMIZATION), "{notes:?}");
        let (_, notes) =
            planned(&["A"], &OutputDir::of_crds(), &[(&base("as"), &text("A"))]).unwrap();
        assert!(notes.is_empty(), "{notes:?}");
    }
}
