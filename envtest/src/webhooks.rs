//! Redirects webhooks to a server in the test.
//!
//! Manifests refer to a Service, which is only reachable in a cluster, and contain no CA bundle.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{Environment, Error, api::Api, certificates, documents, environment::free_port};

const GROUP: &str = "admissionregistration.k8s.io";
const KINDS: [&str; 2] = [
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
];

/// Address and certificate of a webhook server in a test. See [`Environment::webhook_server`].
#[derive(Debug, Clone)]
pub struct WebhookServer {
    address: SocketAddr,
    cert_dir: PathBuf,
}

impl WebhookServer {
    /// Returns the address to listen on, a free local port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the directory with `tls.crt` and `tls.key`, like a mounted TLS Secret.
    pub fn cert_dir(&self) -> &Path {
        &self.cert_dir
    }
}

impl Environment {
    /// Reserves an address for a webhook server and returns it with a certificate that the API server trusts. The test runs the server.
    pub fn webhook_server(&self) -> Result<WebhookServer, Error> {
        Ok(WebhookServer {
            address: (Ipv4Addr::LOCALHOST, free_port()?).into(),
            cert_dir: self.dir().join(certificates::WEBHOOKS),
        })
    }

    /// Installs webhook configurations and CRDs with conversion webhooks, with references to a Service replaced by `server`. Applies other
    /// objects unchanged.
    ///
    /// Waits until the server listens before applying anything, and returns once the API server calls the webhooks.
    pub async fn install_webhooks<D: Serialize>(
        &self,
        server: &WebhookServer,
        documents: impl IntoIterator<Item = D>,
    ) -> Result<(), Error> {
        let api = self.running()?;
        let mut documents = documents::to_values(documents)?;
        let path = self.dir().join(certificates::AUTHORITY);
        let authority = fs::read(&path).map_err(|source| Error::File {
            path,
            action: "read",
            source,
        })?;
        let authority = BASE64_STANDARD.encode(authority);
        let mut redirected = 0;
        for config in documents.iter_mut().flat_map(client_configs) {
            redirected += u32::from(redirect(config, server.address, &authority));
        }
        if redirected == 0 {
            return Err(Error::InvalidObject {
                document: "webhook manifests".to_owned(),
                problem: "no webhook refers to a Service".to_owned(),
            });
        }
        wait_until_listening(api, server.address).await?;
        documents::apply(api, &documents).await?;
        for kind in KINDS {
            if documents.iter().any(|document| document["kind"] == kind) {
                wait_until_called(api, kind).await?;
            }
        }
        Ok(())
    }
}

/// Returns the client configurations of an object's webhooks.
fn client_configs(document: &mut Value) -> Vec<&mut Value> {
    let kind = document["kind"].as_str().unwrap_or_default();
    if KINDS.contains(&kind) {
        let webhooks = document.get_mut("webhooks").and_then(Value::as_array_mut);
        let webhooks = webhooks.into_iter().flatten();
        webhooks
            .filter_map(|webhook| webhook.get_mut("clientConfig"))
            .collect()
    } else if kind == "CustomResourceDefinition" {
        let conversion = document.pointer_mut("/spec/conversion/webhook/clientConfig");
        conversion.into_iter().collect()
    } else {
        Vec::new()
    }
}

/// Replaces a Service reference by a URL. Returns whether there was one.
fn redirect(config: &mut Value, address: SocketAddr, authority: &str) -> bool {
    let Some(service) = config.get("service") else {
        return false;
    };
    let path = service["path"].as_str().unwrap_or_default();
    let path = path.trim_start_matches('/');
    *config = json!({"url": format!("https://{address}/{path}"), "caBundle": authority});
    true
}

/// Waits until a server listens with the environment's certificate.
async fn wait_until_listening(api: &Api, address: SocketAddr) -> Result<(), Error> {
    let check = || async {
        let checked = api.check_certificate(address).await;
        Ok(checked.err().map(|error| {
            format!("no TLS server with the expected certificate at {address}: {error}")
        }))
    };
    api.poll_until("the webhook server", check).await
}

/// Waits until the API server calls the webhooks of a configuration kind applied before.
///
/// The API server processes configurations in the order they were written. So this writes a canary, which rejects a certain object because
/// its URL is unreachable, and waits for the rejection.
async fn wait_until_called(api: &Api, kind: &str) -> Result<(), Error> {
    static CANARIES: AtomicU32 = AtomicU32::new(0);
    let number = CANARIES.fetch_add(1, Ordering::Relaxed);
    // Webhooks are called in alphabetical order.
    let name = format!("0-{number}.canary.kb-envtest");
    let labels = json!({"kb-envtest/canary": number.to_string()});
    let canary = json!({
        "apiVersion": format!("{GROUP}/v1"),
        "kind": kind,
        "metadata": {"name": name},
        "webhooks": [{
            "name": name,
            "clientConfig": {"url": "https://127.0.0.1:1/"},
            "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"], "operations": ["CREATE"]}],
            "objectSelector": {"matchLabels": labels},
            "failurePolicy": "Fail",
            "sideEffects": "None",
            "admissionReviewVersions": ["v1"],
            "timeoutSeconds": 1,
        }],
    });
    let object = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "kb-envtest-canary", "labels": labels},
    });
    let path = format!("/apis/{GROUP}/v1/{}s/{name}", kind.to_lowercase());
    api.apply(&path, &canary).await?;
    let check = || async {
        let path = "/api/v1/namespaces/default/configmaps?dryRun=All";
        match api.create(path, &object).await {
            Ok(_) => Ok(Some("the API server does not call them".to_owned())),
            Err(Error::Rejected { message, .. }) if message.contains(&name) => Ok(None),
            // Rejected by one of the installed webhooks.
            Err(Error::Rejected { message, .. }) => Ok(Some(message)),
            Err(other) => Err(other),
        }
    };
    let called = api.poll_until(kind, check).await;
    api.delete(&path).await?;
    called
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_service_references_are_replaced() {
        let address = (Ipv4Addr::LOCALHOST, 4443).into();
        let service = json!({"service": {"name": "s", "namespace": "n", "path": "/here"}});
        let elsewhere = json!({"url": "https://elsewhere"});
        let mut webhooks = json!({
            "kind": "ValidatingWebhookConfiguration",
            "webhooks": [
                {"name": "a", "clientConfig": service},
                {"name": "b", "clientConfig": elsewhere},
                {"name": "c", "clientConfig": {"service": {"name": "s"}, "caBundle": "old"}},
            ],
        });
        let replaced = client_configs(&mut webhooks)
            .into_iter()
            .map(|config| redirect(config, address, "ca"));
        assert_eq!(replaced.collect::<Vec<_>>(), [true, false, true]);
        let here = json!({"url": "https://127.0.0.1:4443/here", "caBundle": "ca"});
        assert_eq!(webhooks["webhooks"][0]["clientConfig"], here);
        assert_eq!(webhooks["webhooks"][1]["clientConfig"], elsewhere);
        let root = json!({"url": "https://127.0.0.1:4443/", "caBundle": "ca"});
        assert_eq!(webhooks["webhooks"][2]["clientConfig"], root);

        let mut crd = json!({
            "kind": "CustomResourceDefinition",
            "spec": {"conversion": {"strategy": "Webhook", "webhook": {"clientConfig": service}}},
        });
        for config in client_configs(&mut crd) {
            assert!(redirect(config, address, "ca"));
        }
        assert_eq!(crd["spec"]["conversion"]["webhook"]["clientConfig"], here);
        for mut other in [
            json!({"kind": "Service"}),
            json!({"kind": KINDS[0]}),
            json!(1),
        ] {
            assert!(client_configs(&mut other).is_empty());
        }
    }
}
