//! Plans the file with all `ClusterRole`s and `Role`s of the operator. The reason of each rule is a comment above it.

use kb_model::rbac::{Grant, Role};

use super::{Comments, OutputDir, comments::is_foreign};
use crate::{
    plan::{IfExists, Plan, RelPath, Snapshot},
    problem::Problem,
    yaml,
};

/// The name of the file, as in Kubebuilder projects.
const FILE: &str = "role.yaml";

/// Returns the path of the file.
pub(crate) fn role_file(dir: &OutputDir) -> RelPath {
    dir.file(FILE)
}

/// Renders the file: one document per role.
pub(crate) fn role_text(roles: &[Role], comments: &Comments) -> String {
    let mut text = String::new();
    for (index, role) in roles.iter().enumerate() {
        let comments = if index == 0 { comments.as_str() } else { "" };
        let document = yaml::document(comments, &role.document());
        explain(&document, &role.grants, &mut text);
    }
    text
}

/// Copies a document and inserts the reasons above the rules. `rules` is its last field, and only its items start with an unindented dash.
fn explain(document: &str, grants: &[Grant], to: &mut String) {
    let mut grants = grants.iter();
    let mut in_rules = false;
    for line in document.split_inclusive('\n') {
        if in_rules && line.starts_with("- ") {
            for reason in grants.next().into_iter().flat_map(|grant| &grant.reasons) {
                to.push_str("# ");
                to.push_str(reason.trim());
                to.push('\n');
            }
        }
        in_rules |= line.starts_with("rules:");
        to.push_str(line);
    }
}

/// Adds the file to the plan. `snapshot` must contain it.
pub(super) fn plan(
    roles: &[Role],
    comments: &Comments,
    dir: &OutputDir,
    snapshot: &Snapshot,
    plan: &mut Plan,
) -> Result<(), Problem> {
    let path = role_file(dir);
    if is_foreign(snapshot.get(&path)) {
        return Err(Problem::new(
            format!("{path} exists already, and was not made by `kb-rs generate`"),
            "write what it allows as `#[kb::rbac(..)]` on the code that needs it, and move it away: the role goes there",
        ));
    }
    plan.create(path, role_text(roles, comments), IfExists::Replace);
    Ok(())
}

#[cfg(test)]
mod tests {
    use kb_model::{
        RoleName,
        rbac::{Rule, roles},
    };

    use super::*;
    use crate::plan::FileState;

    fn rule(resource: &str, namespace: Option<&str>, reason: Option<&str>) -> Rule {
        Rule {
            groups: vec!["example.com".to_owned()],
            resources: vec![resource.to_owned()],
            verbs: vec!["get".to_owned()],
            namespace: namespace.map(ToOwned::to_owned),
            reason: reason.map(ToOwned::to_owned),
            ..Rule::default()
        }
    }

    fn text(rules: &[Rule]) -> String {
        role_text(&roles(rules, &RoleName::default()), &Comments::default())
    }

    #[test]
    fn writes_reasons_above_their_rules() {
        let text = text(&[
            rule("b", None, Some("Second: it's \"quoted\".")),
            rule("a", None, Some("First.")),
            rule("a", None, None),
            rule("c", Some("shop"), Some("- third")),
        ]);
        assert_eq!(
            text,
            "\
# Made by kb-rs generate. Do not edit: change the Rust code instead.
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: manager-role
rules:
# First.
# Second: it's \"quoted\".
- apiGroups:
  - example.com
  resources:
  - a
  - b
  verbs:
  - get
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: manager-role
  namespace: shop
rules:
# - third
- apiGroups:
  - example.com
  resources:
  - c
  verbs:
  - get
"
        );
    }

    #[test]
    fn renders_a_role_without_rules() {
        assert!(
            text(&[]).ends_with("  name: manager-role\nrules: []\n"),
            "{}",
            text(&[])
        );
    }

    #[test]
    fn rejects_a_file_that_was_not_generated() {
        let path = role_file(&OutputDir::of_roles());
        let planned = |entry: &str| {
            let entry = FileState::File(entry.to_owned());
            let snapshot: Snapshot = [(path.clone(), entry)].into_iter().collect();
            let dir = OutputDir::of_roles();
            let mut changes = Plan::default();
            plan(&[], &Comments::default(), &dir, &snapshot, &mut changes)
        };
        let problem = planned("rules: []\n").unwrap_err();
        assert!(
            problem.message.starts_with("config/rbac/role.yaml exists"),
            "{problem:?}"
        );
        assert_eq!(planned(""), Ok(()));
        assert_eq!(planned(&text(&[])), Ok(()));
    }
}
