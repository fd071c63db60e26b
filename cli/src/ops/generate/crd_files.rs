//! Plans the files of the CRDs, and the removal of files of kinds that no longer exist.

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

/// Renders the file of each CRD, in parallel: with many kinds this takes a large share of the time.
pub(super) fn texts(crds: &[Crd], comments: &Comments) -> Vec<String> {
    let write = |crds: &[Crd]| -> Vec<String> {
        let mut writer = Writer::default();
        crds.iter()
            .map(|crd| writer.document(comments.as_str(), &crd.document))
            .collect()
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let size = crds.len().div_ceil(processors).max(MIN_PER_THREAD);
    thread::scope(|scope| {
        let mut chunks = crds.chunks(size);
        let first = chunks.next().unwrap_or_default();
        let threads: Vec<_> = chunks
            .map(|chunk| scope.spawn(move || write(chunk)))
            .collect();
        let mut texts = write(first);
        for thread in threads {
            texts.extend(thread.join().expect("writing YAML does not panic"));
        }
        texts
    })
}

/// Fewer CRDs are rendered faster than a thread starts.
const MIN_PER_THREAD: usize = 8;

/// Returns the files that the plan of these CRDs depends on; `present` are the files in the directory.
pub(super) fn files(crds: &[Crd], dir: &OutputDir, present: Vec<RelPath>) -> BTreeSet<RelPath> {
    let is_manifest = |path: &RelPath| path.as_str().rsplit('.').next() == Some("yaml");
    crds.iter()
        .map(|crd| dir.file(&crd.file_name()))
        .chain(present.into_iter().filter(is_manifest))
        .chain([RelPath::new(KUSTOMIZATION)])
        .collect()
}

/// The result of planning the files.
#[derive(Debug, Default)]
pub(super) struct PlannedCrds<'a> {
    pub(super) notes: Vec<String>,
    /// The CRDs whose files are new or change.
    pub(super) changed: Vec<&'a Crd>,
}

/// Adds the files to the plan. `snapshot` must contain those of [`files`].
pub(super) fn plan<'a>(
    crds: &'a [Crd],
    comments: &Comments,
    dir: &OutputDir,
    files: &BTreeSet<RelPath>,
    snapshot: &Snapshot,
    plan: &mut Plan,
) -> Result<PlannedCrds<'a>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut planned = PlannedCrds::default();
    let mut desired = BTreeSet::new();
    for (crd, text) in crds.iter().zip(texts(crds, comments)) {
        let path = dir.file(&crd.file_name());
        let entry = snapshot.get(&path);
        if entry.text() != Some(&text) {
            planned.changed.push(crd);
        }
        if is_foreign(entry) {
            problems.push(Problem::new(
                format!("{path} exists already, and was not made by `kb-rs generate`"),
                format!("move it away: the CRD of {} goes there", crd.kind),
            ));
        }
        planned.notes.extend(crd.notes());
        desired.insert(path.clone());
        plan.create(path, text, IfExists::Replace);
    }
    let mut removed = Vec::new();
    for path in files
        .iter()
        .filter(|path| path.as_str() != KUSTOMIZATION && !desired.contains(path))
    {
        match snapshot.get(path) {
            FileState::File(text) | FileState::ReadOnly(text) if !is_crd(text) => {}
            FileState::File(text) | FileState::ReadOnly(text) if is_generated(text) => {
                plan.remove(path.clone());
                removed.push(path.clone());
            }
            FileState::File(_) | FileState::ReadOnly(_) => {
                planned.notes.push(format!(
                    "{path} was not made by `kb-rs generate`, and stays"
                ));
            }
            _ => {}
        }
    }
    if *dir == OutputDir::of_crds() {
        let note = plan_kustomization(&desired, &removed, files, snapshot, plan);
        planned.notes.extend(note);
    }
    if problems.is_empty() {
        Ok(planned)
    } else {
        Err(problems)
    }
}

/// Updates the list of CRDs for kustomize. A project without the list gets none.
fn plan_kustomization(
    desired: &BTreeSet<RelPath>,
    removed: &[RelPath],
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
    let desired_names: Vec<String> = desired.iter().map(name).collect();
    let mut removed: Vec<String> = removed.iter().map(name).collect();
    match snapshot.get(&RelPath::new(KUSTOMIZATION)) {
        FileState::File(text) | FileState::ReadOnly(text) => {
            // kustomize fails on listed files that do not exist.
            let of_crds = OutputDir::of_crds();
            let is_missing = |name: &&str| !files.contains(&of_crds.file(name));
            removed.extend(
                kustomization::listed(text)
                    .filter(is_missing)
                    .map(ToOwned::to_owned),
            );
            kustomization::plan(text, &desired_names, &removed, plan);
            None
        }
        _ => {
            let is_new = desired
                .iter()
                .any(|path| *snapshot.get(path) == FileState::Missing);
            is_new.then(|| format!("there is no file {KUSTOMIZATION} that could list the new CRDs"))
        }
    }
}

/// Returns whether the file contains a CRD: --output-dir may also hold files of other generators.
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
        let prefix = format!("{dir}/");
        let present = tree
            .iter()
            .filter(|(path, _)| path.starts_with(&prefix))
            .map(|(path, _)| RelPath::new(*path))
            .collect();
        let files = files(&crds, dir, present);
        let mut changes = Plan::default();
        let planned = plan(
            &crds,
            &Comments::default(),
            dir,
            &files,
            &snapshot,
            &mut changes,
        )?;
        Ok((
            resolve(&changes, &snapshot, Overwrite::Never).unwrap(),
            planned.notes,
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
    fn writes_and_lists_new_kinds() {
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
    fn leaves_current_files_unchanged() {
        let (resolved, _) = planned(
            &["A"],
            &OutputDir::of_crds(),
            &[(&base("as"), &text("A")), (KUSTOMIZATION, LIST)],
        )
        .unwrap();
        assert_eq!(listed(&resolved), []);
    }

    #[test]
    fn removes_the_file_and_line_of_a_deleted_kind() {
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
    fn keeps_files_that_were_not_generated() {
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
    fn rejects_a_file_that_was_not_generated_at_the_path_of_a_crd() {
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
    fn does_not_list_crds_of_another_directory() {
        let dir =
            OutputDir::parse(std::path::Path::new("out"), std::path::Path::new("/p")).unwrap();
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
    fn notes_a_missing_list_for_new_crds() {
        let (_, notes) = planned(&["A"], &OutputDir::of_crds(), &[]).unwrap();
        assert!(notes[0].contains(KUSTOMIZATION), "{notes:?}");
        let (_, notes) =
            planned(&["A"], &OutputDir::of_crds(), &[(&base("as"), &text("A"))]).unwrap();
        assert!(notes.is_empty(), "{notes:?}");
    }
}
