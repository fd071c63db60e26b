//! Rendered metrics.

use std::time::Duration;

use http::{Method, Request, Response};
use kube::client::{Body, ClientBuilder};
use prometheus_client::metrics::gauge::Gauge;
use tower::service_fn;

use super::{ControllerMetrics, Metrics, ReconcileResult};

/// Returns the lines that start with `start`, sorted.
fn lines(metrics: &Metrics, start: &str) -> Vec<String> {
    let text = metrics.render().unwrap();
    let mut lines: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with(start))
        .map(str::to_owned)
        .collect();
    lines.sort();
    lines
}

#[track_caller]
fn assert_line(metrics: &Metrics, line: &str) {
    let text = metrics.render().unwrap();
    assert!(
        text.lines().any(|other| other == line),
        "no line `{line}` in\n{text}"
    );
}

#[test]
fn a_new_controller_exports_all_series_with_zero() {
    let metrics = Metrics::new();
    metrics.controller("shop");
    for line in [
        r#"controller_runtime_reconcile_total{controller="shop",result="success"} 0"#,
        r#"controller_runtime_reconcile_total{controller="shop",result="requeue_after"} 0"#,
        r#"controller_runtime_reconcile_total{controller="shop",result="error"} 0"#,
        r#"controller_runtime_reconcile_errors_total{controller="shop"} 0"#,
        r#"controller_runtime_terminal_reconcile_errors_total{controller="shop"} 0"#,
        r#"controller_runtime_reconcile_panics_total{controller="shop"} 0"#,
        r#"controller_runtime_reconcile_timeouts_total{controller="shop"} 0"#,
        r#"controller_runtime_reconcile_time_seconds_count{controller="shop"} 0"#,
        r#"controller_runtime_max_concurrent_reconciles{controller="shop"} 0"#,
        r#"controller_runtime_active_workers{controller="shop"} 0"#,
        r#"workqueue_depth{name="shop",controller="shop"} 0"#,
        r#"workqueue_adds_total{name="shop",controller="shop"} 0"#,
        r#"workqueue_retries_total{name="shop",controller="shop"} 0"#,
        r#"workqueue_queue_duration_seconds_count{name="shop",controller="shop"} 0"#,
        r#"workqueue_work_duration_seconds_count{name="shop",controller="shop"} 0"#,
        r#"workqueue_unfinished_work_seconds{name="shop",controller="shop"} 0.0"#,
        r#"workqueue_longest_running_processor_seconds{name="shop",controller="shop"} 0.0"#,
    ] {
        assert_line(&metrics, line);
    }
}

#[test]
fn counts_reconciles_by_result() {
    let metrics = Metrics::new();
    let shop = metrics.controller("shop");
    let results = [
        ReconcileResult::Success,
        ReconcileResult::Success,
        ReconcileResult::Success,
        ReconcileResult::RequeueAfter,
        ReconcileResult::Error,
        ReconcileResult::Error,
        ReconcileResult::TerminalError,
    ];
    for result in results {
        shop.queued();
        drop(shop.started(Duration::from_millis(1)));
        shop.finished(result, Duration::from_millis(20));
    }
    shop.retried();
    shop.panicked();
    for line in [
        r#"controller_runtime_reconcile_total{controller="shop",result="success"} 3"#,
        r#"controller_runtime_reconcile_total{controller="shop",result="requeue_after"} 1"#,
        r#"controller_runtime_reconcile_total{controller="shop",result="error"} 3"#,
        r#"controller_runtime_reconcile_errors_total{controller="shop"} 3"#,
        r#"controller_runtime_terminal_reconcile_errors_total{controller="shop"} 1"#,
        r#"controller_runtime_reconcile_panics_total{controller="shop"} 1"#,
        r#"controller_runtime_active_workers{controller="shop"} 0"#,
        r#"workqueue_depth{name="shop",controller="shop"} 0"#,
        r#"workqueue_adds_total{name="shop",controller="shop"} 7"#,
        r#"workqueue_retries_total{name="shop",controller="shop"} 1"#,
    ] {
        assert_line(&metrics, line);
    }
}

#[test]
fn histograms_have_the_buckets_of_controller_runtime() {
    let metrics = Metrics::new();
    let shop = metrics.controller("shop");
    shop.queued();
    drop(shop.started(Duration::from_micros(50)));
    shop.finished(ReconcileResult::Success, Duration::from_millis(250));
    for line in [
        r#"controller_runtime_reconcile_time_seconds_bucket{le="0.2",controller="shop"} 0"#,
        r#"controller_runtime_reconcile_time_seconds_bucket{le="0.25",controller="shop"} 1"#,
        r#"controller_runtime_reconcile_time_seconds_bucket{le="60.0",controller="shop"} 1"#,
        r#"controller_runtime_reconcile_time_seconds_sum{controller="shop"} 0.25"#,
        r#"workqueue_queue_duration_seconds_bucket{le="0.00001",name="shop",controller="shop"} 0"#,
        r#"workqueue_queue_duration_seconds_bucket{le="0.0001",name="shop",controller="shop"} 1"#,
        r#"workqueue_work_duration_seconds_bucket{le="0.1",name="shop",controller="shop"} 0"#,
        r#"workqueue_work_duration_seconds_bucket{le="1.0",name="shop",controller="shop"} 1"#,
    ] {
        assert_line(&metrics, line);
    }
    let buckets = |start: &str| lines(&metrics, start).len();
    assert_eq!(
        buckets("controller_runtime_reconcile_time_seconds_bucket"),
        41
    );
    assert_eq!(buckets("workqueue_queue_duration_seconds_bucket"), 13);
}

#[test]
fn reports_queue_depth_and_active_workers() {
    let metrics = Metrics::new();
    let shop = metrics.controller("shop");
    shop.set_max_concurrent_reconciles(4);
    for _ in 0..3 {
        shop.queued();
    }
    let _busy = shop.started(Duration::ZERO);
    shop.dropped();
    assert_line(
        &metrics,
        r#"controller_runtime_max_concurrent_reconciles{controller="shop"} 4"#,
    );
    assert_line(
        &metrics,
        r#"controller_runtime_active_workers{controller="shop"} 1"#,
    );
    assert_line(
        &metrics,
        r#"workqueue_depth{name="shop",controller="shop"} 1"#,
    );
    assert_line(
        &metrics,
        r#"workqueue_adds_total{name="shop",controller="shop"} 3"#,
    );
}

#[tokio::test(start_paused = true)]
async fn reports_running_reconciles() {
    let metrics = Metrics::new();
    let shop = metrics.controller("shop");
    let seconds = |name: &str| {
        let start = format!("workqueue_{name}_seconds{{");
        let [line] = lines(&metrics, &start).try_into().unwrap();
        line.rsplit_once(' ').unwrap().1.to_owned()
    };
    let first = shop.started(Duration::ZERO);
    tokio::time::advance(Duration::from_secs(10)).await;
    let second = metrics.controller("shop").started(Duration::ZERO);
    tokio::time::advance(Duration::from_secs(5)).await;
    assert_eq!(seconds("unfinished_work"), "20.0");
    assert_eq!(seconds("longest_running_processor"), "15.0");
    drop(first);
    assert_eq!(seconds("unfinished_work"), "5.0");
    assert_eq!(seconds("longest_running_processor"), "5.0");
    drop(second);
    assert_eq!(seconds("unfinished_work"), "0.0");
}

#[test]
fn separates_controllers_by_name() {
    let metrics = Metrics::new();
    metrics.controller("shop").panicked();
    metrics.clone().controller("shop").panicked();
    metrics.controller("stock").panicked();
    ControllerMetrics::default().panicked();
    assert_eq!(
        lines(&metrics, "controller_runtime_reconcile_panics_total"),
        [
            r#"controller_runtime_reconcile_panics_total{controller="shop"} 2"#,
            r#"controller_runtime_reconcile_panics_total{controller="stock"} 1"#,
        ]
    );
}

#[test]
fn reports_leadership() {
    let metrics = Metrics::new();
    let leader = metrics.leader("shop.example.com");
    assert_line(
        &metrics,
        r#"leader_election_master_status{name="shop.example.com"} 0"#,
    );
    leader.set(true);
    assert_line(
        &metrics,
        r#"leader_election_master_status{name="shop.example.com"} 1"#,
    );
    leader.set(false);
    assert_line(
        &metrics,
        r#"leader_election_master_status{name="shop.example.com"} 0"#,
    );
}

#[tokio::test]
async fn counts_requests_by_status_method_and_host() {
    let metrics = Metrics::new();
    let server = service_fn(|request: Request<Body>| async move {
        match request.uri().path() {
            "/gone" => Err("the server is gone"),
            "/busy" => Ok(Response::builder().status(429).body(Body::empty()).unwrap()),
            _ => Ok(Response::new(Body::from(b"{}".to_vec()))),
        }
    });
    let layer = metrics.client_layer(&"https://admin:secret@10.96.0.1:6443/base".parse().unwrap());
    let client = ClientBuilder::new(server, "default")
        .with_layer(&layer)
        .build();
    for (method, path) in [
        (Method::GET, "/"),
        (Method::GET, "/"),
        (Method::PATCH, "/"),
        (Method::GET, "/gone"),
        (Method::GET, "/busy"),
        (Method::TRACE, "/"),
    ] {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .body(Body::empty())
            .unwrap();
        drop(client.send(request).await);
    }
    assert_eq!(
        lines(&metrics, "rest_client_requests"),
        [
            r#"rest_client_requests_total{code="200",method="GET",host="10.96.0.1:6443"} 2"#,
            r#"rest_client_requests_total{code="200",method="OTHER",host="10.96.0.1:6443"} 1"#,
            r#"rest_client_requests_total{code="200",method="PATCH",host="10.96.0.1:6443"} 1"#,
            r#"rest_client_requests_total{code="429",method="GET",host="10.96.0.1:6443"} 1"#,
            r#"rest_client_requests_total{code="<error>",method="GET",host="10.96.0.1:6443"} 1"#,
        ]
    );
}

#[test]
fn renders_custom_metrics() {
    let metrics = Metrics::new();
    let books: Gauge = Gauge::default();
    metrics
        .register(|registry| registry.register("shop_books", "Books on the shelf", books.clone()));
    books.set(5);
    assert_line(&metrics, "shop_books 5");
    assert!(metrics.render().unwrap().ends_with("# EOF\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn exports_process_metrics() {
    let metrics = Metrics::new();
    for name in [
        "process_cpu_seconds_total ",
        "process_start_time_seconds ",
        "process_resident_memory_bytes ",
        "process_virtual_memory_bytes ",
        "process_open_fds ",
        "process_max_fds ",
    ] {
        assert_eq!(lines(&metrics, name).len(), 1, "{name}");
    }
}
