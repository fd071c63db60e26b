//! What an operator sent, by the API server's own count.
//!
//! The server counts for all its clients: so between two looks nobody else may write or read single objects of these kinds. Lists and
//! watches are left out: the benchmark makes some itself, and an operator has one of each for a kind.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use http::Request;
use kube::Client;

const METRIC: &str = "apiserver_request_total{";
const LEFT_OUT: [&str; 2] = ["LIST", "WATCH"];

/// What a request is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum About {
    ConfigMaps,
    Widgets,
}

impl About {
    pub(crate) const ALL: [Self; 2] = [Self::ConfigMaps, Self::Widgets];

    fn named(resource: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|about| about.resource() == resource)
    }

    /// The plural.
    pub(crate) fn resource(self) -> &'static str {
        match self {
            Self::ConfigMaps => "configmaps",
            Self::Widgets => "widgets",
        }
    }
}

/// The requests until a moment.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Count(BTreeMap<About, f64>);

impl Count {
    /// As of now.
    pub(crate) async fn now(client: &Client) -> Result<Self> {
        let request = Request::get("/metrics").body(Vec::new())?;
        let text = client.request_text(request).await;
        Ok(Self::read(
            &text.context("cannot read the API server's metrics")?,
        ))
    }

    fn read(metrics: &str) -> Self {
        let mut counts = BTreeMap::new();
        for (about, number) in metrics.lines().filter_map(counted) {
            *counts.entry(about).or_default() += number;
        }
        Self(counts)
    }

    /// How many there were since an earlier one.
    pub(crate) fn since(&self, earlier: &Self, about: About) -> f64 {
        let of = |count: &Self| count.0.get(&about).copied().unwrap_or_default();
        of(self) - of(earlier)
    }
}

/// A line of the metrics, if it is one of those that count.
fn counted(line: &str) -> Option<(About, f64)> {
    let (labels, number) = line.strip_prefix(METRIC)?.rsplit_once("} ")?;
    let label = |name: &str| {
        let mut pairs = labels.split(',').filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.find(|(label, _)| *label == name)?;
        Some(value.trim_matches('"'))
    };
    if LEFT_OUT.contains(&label("verb")?) {
        return None;
    }
    Some((About::named(label("resource")?)?, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_objects_are_counted_and_lists_and_watches_are_not() {
        let line = |verb: &str, resource: &str, number: u32| {
            format!(
                "apiserver_request_total{{code=\"200\",group=\"\",resource=\"{resource}\",subresource=\"\",verb=\"{verb}\"}} {number}\n"
            )
        };
        let earlier = Count::read(&line("POST", "configmaps", 1));
        let later = [
            line("POST", "configmaps", 3),
            line("APPLY", "configmaps", 4),
            line("LIST", "configmaps", 100),
            line("WATCH", "widgets", 100),
            line("PATCH", "widgets", 5),
            line("PUT", "leases", 100),
        ];
        let later = Count::read(&later.concat());
        let since = About::ALL.map(|about| later.since(&earlier, about).to_string());
        assert_eq!(since, ["6", "5"]);
    }
}
