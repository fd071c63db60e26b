//! Reads the roles that the manifests in `config/rbac` bind to the operator's service account.
//!
//! Other roles, such as those for users, are ignored.

use std::{fs, path::Path};

use serde_json::Value;

use crate::{
    Error,
    rule::{self, Grant},
};

/// Service account of the operator and its permissions.
#[derive(Debug)]
pub(crate) struct Manifests {
    pub(crate) account: String,
    pub(crate) grants: Vec<Grant>,
}

/// A document and its file name.
struct Document {
    file: String,
    value: Value,
}

impl Manifests {
    /// Reads all files of a directory and, like kustomize, replaces the namespace of the account by `namespace`.
    pub(crate) fn read(folder: &Path, namespace: &str) -> Result<Self, Error> {
        let documents = documents(folder)?;
        let problem = |problem: String| Error::Manifests {
            path: folder.to_owned(),
            problem,
        };
        let mut accounts = documents
            .iter()
            .filter(|document| document.is("ServiceAccount"));
        let (Some(account), None) = (accounts.next(), accounts.next()) else {
            return Err(problem("expected exactly one ServiceAccount".to_owned()));
        };
        let placeholder = account.namespace().map(ToOwned::to_owned);
        let resolve = |written: Option<&str>| match written {
            Some(other) if Some(other) != placeholder.as_deref() => other.to_owned(),
            _ => namespace.to_owned(),
        };

        let mut grants = Vec::new();
        for binding in documents.iter().filter(|document| document.binds(account)) {
            let role = documents
                .iter()
                .find(|role| binding.refers_to(role))
                .ok_or_else(|| {
                    problem(format!(
                        "{} in {} refers to a missing role",
                        binding.name(),
                        binding.file
                    ))
                })?;
            let is_namespaced = binding.is("RoleBinding");
            let rules = rule::from_value(role.value["rules"].clone());
            grants.push(Grant {
                role: role.name().to_owned(),
                namespace: is_namespaced.then(|| resolve(binding.namespace())),
                rules: rules.map_err(|error| problem(format!("{}: {error}", role.file)))?,
            });
        }
        Ok(Self {
            account: account.name().to_owned(),
            grants,
        })
    }
}

impl Document {
    fn is(&self, kind: &str) -> bool {
        self.value["kind"] == kind
    }

    fn name(&self) -> &str {
        self.value["metadata"]["name"].as_str().unwrap_or_default()
    }

    fn namespace(&self) -> Option<&str> {
        self.value["metadata"]["namespace"].as_str()
    }

    /// Returns whether it binds a role to the account.
    fn binds(&self, account: &Self) -> bool {
        let mut subjects = self.value["subjects"].as_array().into_iter().flatten();
        let is_binding = self.is("RoleBinding") || self.is("ClusterRoleBinding");
        is_binding
            && subjects.any(|subject| {
                let namespace = subject["namespace"].as_str().zip(account.namespace());
                subject["kind"] == "ServiceAccount"
                    && subject["name"] == account.name()
                    && namespace.is_none_or(|(subject, account)| subject == account)
            })
    }

    /// Returns whether this binding refers to `role`.
    fn refers_to(&self, role: &Self) -> bool {
        let reference = &self.value["roleRef"];
        let same_namespace = role.namespace() == self.namespace() || role.is("ClusterRole");
        reference["kind"] == role.value["kind"]
            && reference["name"] == role.name()
            && same_namespace
    }
}

/// Reads all YAML documents, sorted by file name.
fn documents(folder: &Path) -> Result<Vec<Document>, Error> {
    let read_error = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::File {
            path,
            action: "read",
            source,
        }
    };
    let entries = fs::read_dir(folder).map_err(read_error(folder))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "yaml")
    });
    paths.sort();
    let mut documents = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(read_error(&path))?;
        let read =
            serde_saphyr::from_multiple::<Value>(&text).map_err(|error| Error::Manifests {
                path: path.clone(),
                problem: error.to_string(),
            })?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        documents.extend(read.into_iter().map(|value| Document {
            file: file.clone().into_owned(),
            value,
        }));
    }
    Ok(documents)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    const ACCOUNT: &str = "kind: ServiceAccount\nmetadata: {name: manager, namespace: system}\n";

    fn role(kind: &str, name: &str, namespace: &str) -> String {
        format!(
            "---\nkind: {kind}\nmetadata: {{name: {name}{namespace}}}\nrules:\n- {{apiGroups: [''], resources: [pods], verbs: [get]}}\n"
        )
    }

    fn binding(kind: &str, role: &str, subject: &str) -> String {
        let (role_kind, namespace) = match kind {
            "RoleBinding" => ("Role", ", namespace: system"),
            _ => ("ClusterRole", ""),
        };
        format!(
            "---\nkind: {kind}\nmetadata: {{name: {role}-binding{namespace}}}\nroleRef: {{kind: {role_kind}, name: {role}}}\n\
             subjects:\n- {{kind: ServiceAccount, name: {subject}, namespace: system}}\n"
        )
    }

    fn read(files: &[(&str, &str)]) -> Result<Manifests, Error> {
        let folder = TempDir::new().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Manifests::read(folder.path(), "shop")
    }

    #[test]
    fn only_roles_bound_to_the_account_are_granted() {
        let roles = [
            role("ClusterRole", "manager-role", ""),
            role("ClusterRole", "viewer", ""),
            role("Role", "lease", ", namespace: system"),
            role("Role", "far", ", namespace: other"),
        ];
        let bindings = [
            binding("ClusterRoleBinding", "manager-role", "manager"),
            binding("ClusterRoleBinding", "viewer", "user"),
            binding("RoleBinding", "lease", "manager"),
        ];
        let manifests = read(&[
            ("account.yaml", ACCOUNT),
            ("bindings.yaml", &bindings.concat()),
            ("kustomization.yaml", "resources:\n- account.yaml\n"),
            ("role.yaml", &format!("# A comment.\n{}", roles.concat())),
            ("notes.txt", "not: [yaml"),
        ])
        .unwrap();
        let grants: Vec<_> = manifests
            .grants
            .iter()
            .map(|grant| {
                (
                    grant.role.as_str(),
                    grant.namespace.as_deref(),
                    grant.rules.len(),
                )
            })
            .collect();
        assert_eq!(
            grants,
            [("manager-role", None, 1), ("lease", Some("shop"), 1)]
        );
        assert_eq!(manifests.account, "manager");
    }

    #[test]
    fn a_role_binding_applies_to_the_namespace_of_the_operator() {
        let bound = binding("RoleBinding", "manager-role", "manager");
        let role = role("Role", "manager-role", ", namespace: system");
        let files = [
            ("account.yaml", ACCOUNT),
            ("binding.yaml", &bound),
            ("role.yaml", &role),
        ];
        let namespaced = read(&files).unwrap();
        assert_eq!(namespaced.grants[0].namespace.as_deref(), Some("shop"));
    }

    #[test]
    fn invalid_manifests_are_reported() {
        let unknown = binding("ClusterRoleBinding", "gone", "manager");
        for files in [
            &[][..],
            &[("account.yaml", ACCOUNT), ("b.yaml", unknown.as_str())],
            &[("broken.yaml", "a: [")],
        ] {
            let error = read(files).unwrap_err();
            assert!(matches!(error, Error::Manifests { .. }), "{error}");
        }
        let error = Manifests::read(Path::new("/nowhere"), "shop").unwrap_err();
        assert!(matches!(error, Error::File { .. }), "{error}");
    }
}
