//! Webhooks served by the test and called by a real API server. Skipped without binaries; with `CI=true` that is a failure.
#![allow(clippy::unwrap_used, reason = "tests may panic")]
#![cfg(all(feature = "client", unix))]

use std::{convert::Infallible, sync::Arc};

use base64::{Engine, prelude::BASE64_STANDARD};
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::{
    body::{Bytes, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use k8s_openapi::api::core::v1::ConfigMap;
use kb_envtest::{Binaries, Environment, Error, WebhookServer, skip};
use kube::{
    Api, Client,
    api::{ApiResource, DynamicObject, PostParams},
    core::GroupVersionKind,
};
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

async fn environment() -> Option<Environment> {
    if let Err(error) = Binaries::find() {
        skip(format_args!("control plane not found: {error}"));
        return None;
    }
    Some(Environment::builder().start().await.unwrap())
}

/// Serves until the test ends.
async fn serve(server: &WebhookServer) {
    let certificates = server.cert_dir();
    let chain = CertificateDer::pem_file_iter(certificates.join("tls.crt")).unwrap();
    let key = PrivateKeyDer::from_pem_file(certificates.join("tls.key")).unwrap();
    let tls = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain.map(Result::unwrap).collect(), key)
        .unwrap();
    let tls = TlsAcceptor::from(Arc::new(tls));
    let listener = TcpListener::bind(server.address()).await.unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let tls = tls.clone();
            tokio::spawn(async move {
                // Readiness checks close the connection.
                if let Ok(stream) = tls.accept(stream).await {
                    let connection = http1::Builder::new();
                    let _ = connection
                        .serve_connection(TokioIo::new(stream), service_fn(answer))
                        .await;
                }
            });
        }
    });
}

async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().path().to_owned();
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let mut review: Value = serde_json::from_slice(&body).unwrap();
    let request = review.as_object_mut().unwrap().remove("request").unwrap();
    let mut response = json!({"uid": request["uid"]});
    match path.as_str() {
        "/mutate" => {
            let change = json!([{"op": "add", "path": "/data/mutated", "value": "yes"}]);
            response["allowed"] = json!(true);
            response["patchType"] = json!("JSONPatch");
            response["patch"] = json!(BASE64_STANDARD.encode(change.to_string()));
        }
        "/validate" => {
            let is_allowed = request["object"]["data"]["bad"].is_null();
            response["allowed"] = json!(is_allowed);
            response["status"] = json!({"message": "it is bad"});
        }
        "/convert" => {
            let objects = request["objects"].as_array().unwrap().iter().cloned();
            let converted = objects.map(|object| convert(object, &request["desiredAPIVersion"]));
            response["convertedObjects"] = converted.collect();
            response["result"] = json!({"status": "Success"});
        }
        other => panic!("unexpected path {other}"),
    }
    review["response"] = response;
    let answer = Response::builder().header("content-type", "application/json");
    Ok(answer.body(review.to_string().into()).unwrap())
}

/// Renames `size` in `v1` to `count` in `v2` and back.
fn convert(mut object: Value, to: &Value) -> Value {
    let (from_field, to_field) = match to.as_str().unwrap() {
        "example.com/v1" => ("count", "size"),
        _ => ("size", "count"),
    };
    object["apiVersion"] = to.clone();
    let spec = object["spec"].as_object_mut().unwrap();
    let number = spec.remove(from_field).unwrap();
    spec.insert(to_field.to_owned(), number);
    object
}

fn webhook(kind: &str, name: &str, path: &str) -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name},
        "webhooks": [{
            "name": format!("{name}.example.com"),
            "clientConfig": {"service": {"name": "webhooks", "namespace": "system", "path": path}},
            "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"], "operations": ["CREATE"]}],
            // Ignores objects of the API server itself.
            "objectSelector": {"matchExpressions": [{"key": "ours", "operator": "Exists"}]},
            "failurePolicy": "Fail",
            "sideEffects": "None",
            "admissionReviewVersions": ["v1"],
        }],
    })
}

fn config_map(name: &str, data: &Value) -> ConfigMap {
    let metadata = json!({"name": name, "labels": {"ours": ""}});
    serde_json::from_value(json!({"metadata": metadata, "data": data})).unwrap()
}

#[tokio::test]
async fn installed_webhooks_are_called_immediately() {
    let Some(environment) = environment().await else {
        return;
    };
    let server = environment.webhook_server().unwrap();
    serve(&server).await;
    let config_maps: Api<ConfigMap> =
        Api::namespaced(environment.client().await.unwrap(), "default");
    let create = PostParams::default();
    // Repeated, to detect races.
    for round in 0..10 {
        let mutating = webhook("MutatingWebhookConfiguration", "mutating", "/mutate");
        let validating = webhook("ValidatingWebhookConfiguration", "validating", "/validate");
        environment
            .install_webhooks(&server, [mutating, validating])
            .await
            .unwrap();
        let good = config_map(&format!("good-{round}"), &json!({"a": "b"}));
        let good = config_maps.create(&create, &good).await.unwrap();
        assert_eq!(good.data.unwrap()["mutated"], "yes");
        let bad = config_map("bad", &json!({"bad": ""}));
        let error = config_maps.create(&create, &bad).await.unwrap_err();
        assert!(error.to_string().contains("it is bad"), "{error}");

        let client = environment.client().await.unwrap();
        for kind in ["mutating", "validating"] {
            let path = format!("/apis/admissionregistration.k8s.io/v1/{kind}webhookconfigurations");
            let left = remove_all(&client, &path, kind).await;
            assert_eq!(left, [kind], "the canary was deleted");
        }
    }
}

/// Deletes a configuration and returns the names of all that existed.
async fn remove_all(client: &Client, path: &str, name: &str) -> Vec<String> {
    let list = Request::get(path).body(Vec::new()).unwrap();
    let list: Value = client.request(list).await.unwrap();
    let delete = Request::delete(format!("{path}/{name}")).body(Vec::new());
    client.request::<Value>(delete.unwrap()).await.unwrap();
    let items = list["items"].as_array().unwrap().iter();
    items
        .map(|item| item["metadata"]["name"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_crd_with_a_conversion_webhook_is_served_in_both_versions() {
    let Some(environment) = environment().await else {
        return;
    };
    let server = environment.webhook_server().unwrap();
    serve(&server).await;
    let version = |name: &str, field: &str, storage: bool| {
        let spec = json!({"type": "object", "properties": {field: {"type": "integer"}}});
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        json!({"name": name, "served": true, "storage": storage, "schema": {"openAPIV3Schema": schema}})
    };
    let service =
        json!({"service": {"name": "webhooks", "namespace": "system", "path": "/convert"}});
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "boxes.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Box", "plural": "boxes"},
            "scope": "Namespaced",
            "versions": [version("v1", "size", false), version("v2", "count", true)],
            "conversion": {
                "strategy": "Webhook",
                "webhook": {"clientConfig": service, "conversionReviewVersions": ["v1"]},
            },
        },
    });
    let object = json!({
        "apiVersion": "example.com/v1",
        "kind": "Box",
        "metadata": {"name": "a", "namespace": "default"},
        "spec": {"size": 3},
    });
    // A CRD and an instance of it.
    environment
        .install_webhooks(&server, [crd, object])
        .await
        .unwrap();
    let kind = ApiResource::from_gvk_with_plural(
        &GroupVersionKind::gvk("example.com", "v2", "Box"),
        "boxes",
    );
    let boxes: Api<DynamicObject> =
        Api::namespaced_with(environment.client().await.unwrap(), "default", &kind);
    assert_eq!(boxes.get("a").await.unwrap().data["spec"]["count"], 3);
}

#[tokio::test]
async fn manifests_without_webhooks_are_rejected() {
    let Some(environment) = environment().await else {
        return;
    };
    let server = environment.webhook_server().unwrap();
    let other = json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}});
    let error = environment.install_webhooks(&server, [other]).await;
    assert!(
        matches!(error, Err(Error::InvalidObject { .. })),
        "{error:?}"
    );
}
