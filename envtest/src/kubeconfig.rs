//! Kubeconfig files, as JSON, which is valid YAML.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{Error, ServiceAccount, small_file};

/// Name of the cluster and the context.
const NAME: &str = "kb-envtest";

/// A file with the administrator's kubeconfig. Removed when dropped, unless it was modified.
#[derive(Debug)]
pub struct KubeconfigFile {
    path: PathBuf,
    text: String,
}

impl KubeconfigFile {
    /// Fails if the file exists and was not written for an environment: it may belong to a real cluster.
    pub fn check(path: &Path) -> Result<(), Error> {
        if may_replace(path) {
            return Ok(());
        }
        Err(Error::KubeconfigExists {
            path: path.to_owned(),
        })
    }

    pub(crate) fn write(path: &Path, text: String) -> Result<Self, Error> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self::check(&path)?;
        let write = || -> io::Result<()> {
            let folder = path.parent().unwrap_or(&path);
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(text.as_bytes())?;
            file.persist(&path)?;
            Ok(())
        };
        match write() {
            Ok(()) => Ok(Self { path, text }),
            Err(source) => Err(Error::File {
                path,
                action: "write",
                source,
            }),
        }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for KubeconfigFile {
    fn drop(&mut self) {
        if small_file::read(&self.path).is_ok_and(|text| text == self.text.as_bytes()) {
            // Best effort: the server is gone.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Returns whether the file is missing or was written for an environment.
fn may_replace(path: &Path) -> bool {
    match small_file::read(path) {
        Ok(text) => {
            let value: Value = serde_json::from_slice(&text).unwrap_or_default();
            let clusters = value["clusters"].as_array().map_or(0, Vec::len);
            clusters == 1 && value["clusters"][0]["name"] == NAME
        }
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Returns the administrator's kubeconfig.
pub(crate) fn admin(folder: &Path, port: u16) -> String {
    let user = json!({
        "client-certificate": folder.join("admin.crt"),
        "client-key": folder.join("admin.key"),
    });
    text(folder, port, "admin", "default", &user)
}

/// Returns the kubeconfig of a service account, with its namespace as default.
pub(crate) fn account(folder: &Path, port: u16, account: &ServiceAccount) -> String {
    let user = json!({ "token": account.token() });
    text(folder, port, account.name(), account.namespace(), &user)
}

fn text(folder: &Path, port: u16, name: &str, namespace: &str, user: &Value) -> String {
    let server = format!("https://127.0.0.1:{port}");
    let kubeconfig = json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{
            "name": NAME,
            "cluster": {"server": server, "certificate-authority": folder.join("ca.crt")},
        }],
        "users": [{"name": name, "user": user}],
        "contexts": [{
            "name": NAME,
            "context": {"cluster": NAME, "user": name, "namespace": namespace},
        }],
        "current-context": NAME,
    });
    format!("{kubeconfig:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_kubeconfigs_of_environments_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kubeconfig");
        let write = |port| KubeconfigFile::write(&path, admin(folder.path(), port));
        let first = write(1).unwrap();
        let second = write(2).unwrap();
        drop(first);
        assert!(path.exists(), "replaced by the second");
        drop(second);
        assert!(!path.exists());

        fs::write(&path, "apiVersion: v1\nclusters: []\n").unwrap();
        let error = write(3).unwrap_err();
        assert!(matches!(error, Error::KubeconfigExists { .. }), "{error}");
        assert!(
            fs::read_to_string(&path)
                .unwrap()
                .ends_with("clusters: []\n")
        );
    }
}
