//! Metrics over TLS: the API server authorizes readers.

use kb::{
    metrics::Metrics,
    server::{Certificates, MetricsServing, serve_metrics},
};
use kb_envtest::ServiceAccount;
use kube::{Client, Config};
use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::test_namespace::TestNamespace;

/// Returns the HTTP status for an account, or for an anonymous request.
async fn scrape(port: u16, account: Option<&ServiceAccount>) -> u16 {
    let mut config = Config::new(format!("https://127.0.0.1:{port}").parse().unwrap());
    config.accept_invalid_certs = true;
    if let Some(account) = account {
        config.auth_info = serde_json::from_value(json!({"token": account.token()})).unwrap();
    }
    let request = http::Request::get("/metrics").body(Vec::new()).unwrap();
    match Client::try_from(config)
        .unwrap()
        .request_text(request)
        .await
    {
        Ok(text) => {
            assert!(text.contains("process_"), "{text}");
            200
        }
        Err(kube::Error::Api(status)) => status.code,
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn metrics_require_authorization() {
    let Some(test) = TestNamespace::new("metrics").await else {
        return;
    };
    let cluster_role = |name: &str, rules: serde_json::Value| json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": name}, "rules": rules});
    let account = async |name: &str, rules| {
        test.environment
            .service_account(&test.namespace, name, [cluster_role(name, rules)])
            .await
            .unwrap()
    };
    let operator = account("metrics-auth", json!([
        {"apiGroups": ["authentication.k8s.io"], "resources": ["tokenreviews"], "verbs": ["create"]},
        {"apiGroups": ["authorization.k8s.io"], "resources": ["subjectaccessreviews"], "verbs": ["create"]},
    ])).await;
    let reader = account(
        "metrics-reader",
        json!([{"nonResourceURLs": ["/metrics"], "verbs": ["get"]}]),
    )
    .await;
    let other = account("metrics-other", json!([])).await;

    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let serving = MetricsServing::Https {
        certificates: Certificates::self_signed().unwrap(),
        client: test.environment.client_as(&operator).await.unwrap(),
    };
    let stop = CancellationToken::new();
    let server = tokio::spawn(serve_metrics(
        listener,
        Metrics::new(),
        serving,
        stop.clone(),
    ));
    assert_eq!(scrape(port, None).await, 401);
    assert_eq!(scrape(port, Some(&other)).await, 403);
    assert_eq!(scrape(port, Some(&reader)).await, 200);
    stop.cancel();
    server.await.unwrap().unwrap();
}
