//! What the library costs an operator: look-ups, the wrapper around reconcile, and the memory of its caches.
//!
//! One section of the benchmark, beside plain kube and without an API server. [`lookup`] asks a store of 100 000 objects, [`reconcile`]
//! calls a function that does nothing for each of 20 000, and [`cache`] has other processes hold 10 000, which come from [`server`].
//! [`report`] prints.

mod cache;
mod lookup;
mod reconcile;
mod report;
mod server;

use anyhow::Result;
use kb::k8s_openapi::api::core::v1::ConfigMap;
use kube::runtime::{
    reflector::{self, store::Writer},
    watcher::Event,
};

use crate::{machine, options::Options};

pub(crate) use cache::{HOLD, Holder};

/// Measures the library, and prints the report.
pub(crate) fn run(options: &Options) -> Result<()> {
    let machine = machine::describe();
    let lookups = lookup::run(options)?;
    let reconciles = reconcile::run(options)?;
    let caches = cache::run(options)?;
    let report = report::Report {
        options,
        lookups,
        reconciles,
        caches,
    };
    print!("{}", report.text(&machine));
    Ok(())
}

/// A store of kube that holds these objects.
fn reflected(objects: impl IntoIterator<Item = ConfigMap>) -> reflector::Store<ConfigMap> {
    let mut writer = Writer::default();
    writer.apply_watcher_event(&Event::Init);
    for object in objects {
        writer.apply_watcher_event(&Event::InitApply(object));
    }
    writer.apply_watcher_event(&Event::InitDone);
    writer.as_reader()
}
