//! The reference of the metrics, from the text that a manager serves.

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    fmt::Write as _,
};

use kb::metrics::Metrics;
use tower::{Layer as _, ServiceExt as _};

use crate::page::{cell, is_made};

/// Labels and their values.
type Labels = BTreeMap<String, BTreeSet<String>>;

#[tokio::test]
async fn the_reference_has_every_metric() {
    let text = served().await;
    let mut page = "| metric | type | labels | what it counts |\n|---|---|---|---|\n".to_owned();
    let described = text.lines().filter_map(|line| line.strip_prefix("# HELP "));
    let described: BTreeMap<&str, &str> =
        described.filter_map(|line| line.split_once(' ')).collect();
    for (name, help) in described {
        writeln!(page, "{}", row(&text, name, help)).unwrap();
    }
    assert!(page.contains("`workqueue_depth`"), "{page}");
    is_made("metrics.md", &page);
}

/// What a manager with one controller serves after one request.
async fn served() -> String {
    let metrics = Metrics::new();
    let _controller = metrics.controller("CONTROLLER");
    let _store = metrics.store("KIND");
    let _leader = metrics.leader("OPERATOR");
    let server = "https://HOST".parse().unwrap();
    let answer = tower::service_fn(async |_: http::Request<()>| {
        Ok::<_, Infallible>(http::Response::new(()))
    });
    let request = http::Request::get("/").body(()).unwrap();
    let client = metrics.client_layer(&server).layer(answer);
    client.oneshot(request).await.unwrap();
    metrics.render().unwrap()
}

fn row(text: &str, name: &str, help: &str) -> String {
    let kind = text
        .lines()
        .find_map(|line| line.strip_prefix(&format!("# TYPE {name} ")))
        .unwrap();
    let shown = match kind {
        "counter" => format!("{name}_total"),
        _ => name.to_owned(),
    };
    let labels = labels(text, name).into_iter().map(|(label, values)| {
        // Values that are the same for all operators are worth listing.
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
        "| `{shown}` | {kind} | {} | {} |",
        labels.join(", "),
        cell(help)
    )
}

/// The labels of a metric's samples, without that of a histogram's buckets.
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
