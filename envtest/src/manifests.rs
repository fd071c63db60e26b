//! What the manifests in `config/rbac` give to the operator's service account: exactly the roles that they bind it to.
//!
//! Roles that nobody binds, and those that are bound to somebody else, such as roles for people, are left out.

use std::{fs, path::Path};

use serde_json::Value;

use crate::{
    Error,
    rule::{self, Grant},
};

/// The operator's account, and what it may do.
#[derive(Debug)]
pub(crate) struct Manifests {
    pub(crate) account: String,
    pub(crate) grants: Vec<Grant>,
}

/// A document, and the file that it is in.
struct Document {
    file: String,
    value: Value,
}

impl Manifests {
    /// Reads all files of a folder. The namespace of the account stands for `namespace` in them, as kustomize puts it there.
    pub(crate) fn read(folder: &Path, namespace: &str) -> Result<Self, Error> {
        let documents = documents(folder)?;
        let problem = |problem: String| Error::Manifests {
            folder: folder.to_owned(),
            problem,
        };
        let mut accounts = documents
            .iter()
            .filter(|document| document.is("ServiceAccount"));
        let (Some(account), None) = (accounts.next(), accounts.next()) else {
            return Err(problem("it must have one ServiceAccount".to_owned()));
        };
        let stands_in = account.namespace().map(ToOwned::to_owned);
        let place = |written: Option<&str>| match written {
            Some(other) if Some(other) != stands_in.as_deref() => other.to_owned(),
            _ => namespace.to_owned(),
        };

        let mut grants = Vec::new();
        for binding in documents.iter().filter(|document| document.binds(account)) {
            let role = documents
                .iter()
                .find(|role| binding.names(role))
                .ok_or_else(|| {
                    problem(format!(
                        "{} in {} names a role that is not there: add its file",
                        binding.name(),
                        binding.file
                    ))
                })?;
            let is_inside = binding.is("RoleBinding");
            let rules = rule::from_value(role.value["rules"].clone());
            grants.push(Grant {
                role: role.name().to_owned(),
                namespace: is_inside.then(|| place(binding.namespace())),
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

    /// Whether it gives an account a role.
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

    /// Whether this binding is one to `role`.
    fn names(&self, role: &Self) -> bool {
        let reference = &self.value["roleRef"];
        let is_near = role.namespace() == self.namespace() || role.is("ClusterRole");
        reference["kind"] == role.value["kind"] && reference["name"] == role.name() && is_near
    }
}

/// Every document of every YAML file, in the order of the files' names.
fn documents(folder: &Path) -> Result<Vec<Document>, Error> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::File {
            path,
            action: "read",
            source,
        }
    };
    let entries = fs::read_dir(folder).map_err(unreadable(folder))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "yaml")
    });
    paths.sort();
    let mut documents = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(unreadable(&path))?;
        let read =
            serde_saphyr::from_multiple::<Value>(&text).map_err(|error| Error::Manifests {
                folder: path.clone(),
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
    fn only_what_is_bound_to_the_account_is_given_to_it() {
        let roles = [
            role("ClusterRole", "manager-role", ""),
            role("ClusterRole", "for-people", ""),
            role("Role", "lease", ", namespace: system"),
            role("Role", "far", ", namespace: other"),
        ];
        let bindings = [
            binding("ClusterRoleBinding", "manager-role", "manager"),
            binding("ClusterRoleBinding", "for-people", "somebody"),
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
    fn a_role_that_is_bound_in_a_namespace_counts_in_the_operators() {
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
    fn what_is_wrong_with_the_folder_is_said() {
        let problem = |files: &[(&str, &str)]| read(files).unwrap_err().to_string();
        assert!(problem(&[]).contains("one ServiceAccount"));
        let unknown = binding("ClusterRoleBinding", "gone", "manager");
        let text = problem(&[("account.yaml", ACCOUNT), ("b.yaml", &unknown)]);
        assert!(
            text.contains("gone-binding in b.yaml names a role that is not there"),
            "{text}"
        );
        assert!(problem(&[("broken.yaml", "a: [")]).contains("broken.yaml"));
        let error = Manifests::read(Path::new("/nowhere"), "shop").unwrap_err();
        assert!(
            error.to_string().contains("/nowhere cannot be read"),
            "{error}"
        );
    }
}
