//! Reference of the metrics, generated from the output of `/metrics`.

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    fmt::Write as _,
};

use kb::metrics::Metrics;
use tower::{Layer as _, ServiceExt as _};

use crate::page::{assert_section, cell};

/// Values by label.
type Labels = BTreeMap<String, BTreeSet<String>>;

#[tokio::test]
async fn metric_reference_is_in_sync() {
    let text = served().await;
    let mut page = "| metric | type | labels | description |\n|---|---|---|---|\n".to_owned();
    let help_lines = text.lines().filter_map(|line| line.strip_prefix("# HELP "));
    let metrics: BTreeMap<&str, &str> =
        help_lines.filter_map(|line| line.split_once(' ')).collect();
    for (name, help) in metrics {
        writeln!(page, "{}", row(&text, name, help)).unwrap();
    }
    assert!(page.contains("`workqueue_depth`"), "{page}");
    assert_section("reference/manager.md", "metrics", &page);
}

/// Renders the metrics of a manager with one controller after one API request.
async fn served() -> String {
    let metrics = Metrics::new();
    let _controller = metrics.controller("CONTROLLER");
    let _store = metrics.store("KIND");
    let _leader = metrics.leader("OPERATOR");
    let server = "https://HOST".parse().unwrap();
    let service = tower::service_fn(async |_: http::Request<()>| {
        Ok::<_, Infallible>(http::Response::new(()))
    });
    let request = http::Request::get("/").body(()).unwrap();
    let client = metrics.client_layer(&server).layer(service);
    client.oneshot(request).await.unwrap();
    metrics.render().unwrap()
}

fn row(text: &str, name: &str, help: &str) -> String {
    let kind = text
        .lines()
        .find_map(|line| line.strip_prefix(&format!("# TYPE {name} ")))
        .unwrap();
    let sample_name = match kind {
        "counter" => format!("{name}_total"),
        _ => name.to_owned(),
    };
    let labels = labels(text, name).into_iter().map(|(label, values)| {
        // Only values that are the same for all operators come in numbers.
        if values.len() > 1 {
            let values: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
            format!("`{label}` ({})", values.join(", "))
        } else {
            format!("`{label}`")
        }
    });
    let labels: Vec<String> = labels.collect();
    let help = help.trim_end_matches('.');
    format!(
        "| `{sample_name}` | {kind} | {} | {} |",
        labels.join(", "),
        cell(help)
    )
}

/// Collects the labels of a metric, except `le` of histograms.
fn labels(text: &str, name: &str) -> Labels {
    let mut found = Labels::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((sample, rest)) = line.split_once('{') else {
            continue;
        };
        let ending = sample.strip_prefix(name);
        if !matches!(ending, Some("" | "_total" | "_bucket" | "_sum" | "_count")) {
            continue;
        }
        let (pairs, _) = rest.split_once('}').unwrap();
        for pair in pairs.split(',') {
            let (label, value) = pair.split_once('=').unwrap();
            if label != "le" {
                let values = found.entry(label.to_owned()).or_default();
                values.insert(value.trim_matches('"').to_owned());
            }
        }
    }
    found
}
