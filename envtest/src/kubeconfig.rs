//! How kubectl and other clients find the control plane. The text is JSON, which is YAML.

use std::path::Path;

use serde_json::{Value, json};

use crate::ServiceAccount;

/// For the administrator.
pub(crate) fn admin(folder: &Path, port: u16) -> String {
    let user = json!({
        "client-certificate": folder.join("admin.crt"),
        "client-key": folder.join("admin.key"),
    });
    text(folder, port, "admin", "default", &user)
}

/// For a service account, in its namespace.
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
            "name": "kb-envtest",
            "cluster": {"server": server, "certificate-authority": folder.join("ca.crt")},
        }],
        "users": [{"name": name, "user": user}],
        "contexts": [{
            "name": "kb-envtest",
            "context": {"cluster": "kb-envtest", "user": name, "namespace": namespace},
        }],
        "current-context": "kb-envtest",
    });
    format!("{kubeconfig:#}\n")
}
