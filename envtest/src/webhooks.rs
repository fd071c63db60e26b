//! Webhooks of an operator under test: they are served by the test, and the API server is told to ask there.
//!
//! Manifests name a Service, which only pods could reach, and leave the certificate to others.

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

/// Where a test serves webhooks: see [`Environment::webhook_server`].
#[derive(Debug, Clone)]
pub struct WebhookServer {
    address: SocketAddr,
    certificates: PathBuf,
}

impl WebhookServer {
    /// Where it listens: a port of this machine that was free.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The folder of its certificate and key, `tls.crt` and `tls.key`, as a Secret of Kubernetes is mounted.
    pub fn certificates(&self) -> &Path {
        &self.certificates
    }
}

impl Environment {
    /// A place for a server of webhooks, with a certificate that the API server will trust. The server itself is the test's.
    pub fn webhook_server(&self) -> Result<WebhookServer, Error> {
        Ok(WebhookServer {
            address: (Ipv4Addr::LOCALHOST, free_port()?).into(),
            certificates: self.folder().join(certificates::WEBHOOKS),
        })
    }

    /// Installs webhooks: configurations of mutating and validating ones, and CRDs with a conversion webhook. Where they name a Service,
    /// `server` is asked. Other documents are applied as they are.
    ///
    /// It waits until the server listens, before anything is applied, and until the API server asks it: what is created afterwards has
    /// been through the webhooks.
    pub async fn install_webhooks<D: Serialize>(
        &self,
        server: &WebhookServer,
        documents: impl IntoIterator<Item = D>,
    ) -> Result<(), Error> {
        let api = self.running()?;
        let mut documents = documents::to_values(documents)?;
        let path = self.folder().join(certificates::AUTHORITY);
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
            return Err(Error::Document {
                document: "what is to be installed".to_owned(),
                problem: "no webhook in it names a Service".to_owned(),
            });
        }
        listens(api, server.address).await?;
        documents::apply(api, &documents).await?;
        for kind in KINDS {
            if documents.iter().any(|document| document["kind"] == kind) {
                asked(api, kind).await?;
            }
        }
        Ok(())
    }
}

/// How the API server reaches the webhooks of a document.
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

/// Puts an address in place of a Service. Whether there was one.
fn redirect(config: &mut Value, address: SocketAddr, authority: &str) -> bool {
    let Some(service) = config.get("service") else {
        return false;
    };
    let path = service["path"].as_str().unwrap_or_default();
    let path = path.trim_start_matches('/');
    *config = json!({"url": format!("https://{address}/{path}"), "caBundle": authority});
    true
}

/// Waits until a server is there that has our certificate.
async fn listens(api: &Api, address: SocketAddr) -> Result<(), Error> {
    let check = || async {
        let reached = api.shake_hands(address).await;
        Ok(reached
            .err()
            .map(|error| format!("nobody serves with its certificate at {address}: {error}")))
    };
    api.until("the server of the webhooks", check).await
}

/// Waits until the API server asks the webhooks of a kind of configuration that were applied before.
///
/// It takes them in in the order in which they were written. So one more is written, of which is known what it does: it refuses an object
/// that nobody else makes, because nobody serves it.
async fn asked(api: &Api, kind: &str) -> Result<(), Error> {
    static CANARIES: AtomicU32 = AtomicU32::new(0);
    let number = CANARIES.fetch_add(1, Ordering::Relaxed);
    // The first in the alphabet are asked first.
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
        let made = "/api/v1/namespaces/default/configmaps?dryRun=All";
        match api.create(made, &object).await {
            Ok(_) => Ok(Some("the API server does not ask them".to_owned())),
            Err(Error::Refused { message, .. }) if message.contains(&name) => Ok(None),
            // By a webhook that is to be installed.
            Err(Error::Refused { message, .. }) => Ok(Some(message)),
            Err(other) => Err(other),
        }
    };
    let asked = api.until(kind, check).await;
    api.delete(&path).await?;
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_replaced_in_configurations_and_conversions_and_addresses_stay() {
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
