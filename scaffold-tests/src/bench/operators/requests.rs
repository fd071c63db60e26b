//! Requests per resource, as counted by the API server, without lists and watches.

use std::collections::BTreeMap;

use anyhow::Result;
use http::Request;
use kube::Client;

const METRIC: &str = "apiserver_request_total{";

/// Requests of all clients so far.
#[derive(Debug)]
pub(crate) struct RequestCounts(BTreeMap<String, f64>);

impl RequestCounts {
    pub(crate) async fn read(client: &Client) -> Result<Self> {
        let request = Request::get("/metrics").body(Vec::new())?;
        Ok(Self::parse(&client.request_text(request).await?))
    }

    pub(crate) fn get(&self, resource: &str) -> f64 {
        self.0.get(resource).copied().unwrap_or_default()
    }

    fn parse(metrics: &str) -> Self {
        let mut counts = BTreeMap::new();
        for (resource, number) in metrics.lines().filter_map(parse_line) {
            *counts.entry(resource.to_owned()).or_default() += number;
        }
        Self(counts)
    }
}

fn parse_line(line: &str) -> Option<(&str, f64)> {
    let (labels, number) = line.strip_prefix(METRIC)?.rsplit_once("} ")?;
    let label = |name: &str| {
        let mut pairs = labels.split(',').filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.find(|(label, _)| *label == name)?;
        Some(value.trim_matches('"'))
    };
    let counted = !matches!(label("verb")?, "LIST" | "WATCH");
    counted.then_some((label("resource")?, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_watches_are_not_counted() {
        let line = |verb: &str, number: u32| {
            format!(
                "apiserver_request_total{{code=\"200\",group=\"\",resource=\"configmaps\",verb=\"{verb}\"}} {number}\n"
            )
        };
        let metrics = [
            line("POST", 3),
            line("APPLY", 4),
            line("LIST", 9),
            line("WATCH", 9),
        ];
        let counts = RequestCounts::parse(&metrics.concat());
        assert_eq!(counts.get("configmaps").to_string(), "7");
    }
}
