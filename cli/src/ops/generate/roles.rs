//! Plans the file of the roles: every `ClusterRole` and Role of the operator, with the reason of each rule above it.

use kb_model::{
    RoleName,
    rbac::{self, Grant, Role, Rule},
};

use super::{Comments, OutputDir, comments::is_foreign};
use crate::{
    plan::{IfExists, Plan, RelPath, Snapshot},
    problem::Problem,
    yaml,
};

/// The file's name, as in Kubebuilder's projects.
const FILE: &str = "role.yaml";

/// The namespace of every manifest of a project, which config/default replaces.
const NAMESPACE: &str = "system";

/// The roles of a project, among them the one that its manifests bind the manager to, and a note on each that nobody is bound to.
/// `namespaced` says that the manager sees single namespaces: then rules that name none are for its own.
pub(crate) fn roles_of(
    markers: &[Rule],
    name: &RoleName,
    namespaced: bool,
) -> (Vec<Role>, Vec<String>) {
    let bound = Role {
        namespace: namespaced.then(|| NAMESPACE.to_owned()),
        name: name.to_string(),
        grants: Vec::new(),
    };
    let is_bound = |role: &Role| (&role.namespace, &role.name) == (&bound.namespace, &bound.name);
    let mut roles = if namespaced {
        rbac::roles(&rbac::within(markers, NAMESPACE), name)
    } else {
        rbac::roles(markers, name)
    };
    // What allows nothing is only there to be bound.
    roles.retain(|role| is_bound(role) || !role.grants.is_empty());
    let notes = roles.iter().filter(|role| !is_bound(role));
    let notes = notes.map(|role| unbound(role, namespaced));
    let notes = notes.collect();
    if !roles.iter().any(is_bound) {
        roles.insert(0, bound);
    }
    (roles, notes)
}

fn unbound(role: &Role, namespaced: bool) -> String {
    let name = &role.name;
    match &role.namespace {
        Some(namespace) if namespaced => format!(
            "the Role {name} in {namespace} is bound to nobody: add a RoleBinding for the manager's service account to config/rbac"
        ),
        Some(namespace) => format!(
            "the Role {name} in {namespace} is bound to nobody: add a RoleBinding for the manager's service account, \
             outside of config/default, which sets its own namespace on all it holds"
        ),
        None => format!(
            "the ClusterRole {name} is bound to nobody: add a ClusterRoleBinding for the manager's service account"
        ),
    }
}

/// Where the roles go.
pub(crate) fn role_file(dir: &OutputDir) -> RelPath {
    dir.file(FILE)
}

/// The text of the file: one document for each role.
pub(crate) fn role_text(roles: &[Role], comments: &Comments) -> String {
    let mut text = String::new();
    for (index, role) in roles.iter().enumerate() {
        let comments = if index == 0 { comments.as_str() } else { "" };
        let document = yaml::document(comments, &role.document());
        explain(&document, &role.grants, &mut text);
    }
    text
}

/// Copies a document and puts the reasons above the rules. They are its last field, and no other line there begins with a dash.
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

/// Adds the file to the plan. `snapshot` holds it.
pub(crate) fn plan_roles(
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
    use kb_model::rbac::{Rule, roles};

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
    fn reasons_stand_above_their_rules() {
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
    fn a_role_without_rules_is_a_document() {
        assert!(
            text(&[]).ends_with("  name: manager-role\nrules: []\n"),
            "{}",
            text(&[])
        );
    }

    #[test]
    fn a_file_of_somebody_else_is_a_problem() {
        let path = role_file(&OutputDir::of_roles());
        let planned = |entry: &str| {
            let entry = FileState::File(entry.to_owned());
            let snapshot: Snapshot = [(path.clone(), entry)].into_iter().collect();
            let dir = OutputDir::of_roles();
            plan_roles(
                &[],
                &Comments::default(),
                &dir,
                &snapshot,
                &mut Plan::default(),
            )
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
