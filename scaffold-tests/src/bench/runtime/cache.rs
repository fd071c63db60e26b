//! The memory of 10 000 objects in a cache.
//!
//! Each cache is filled in a process of its own, this benchmark called once more, through the list and watch that an operator makes: what
//! one cache leaves to the allocator is nothing that the next one is given. What counts is what the process has grown by.

use std::{env, process::Command, str::FromStr, time::Duration};

use anyhow::{Context, Error, Result, bail, ensure};
use futures::StreamExt;
use kb::{
    k8s_openapi::api::apps::v1::Deployment,
    store::{Config, Store},
};
use kube::{
    Api,
    runtime::{WatchStreamExt, reflector, watcher},
};

use super::server::{self, MANAGER};
use crate::{call::printed, memory::Resident, options::Options, samples::Samples};

/// The argument that has this program hold a cache. It is for itself.
pub(crate) const HOLD: &str = "--hold";
/// How many objects a cache holds.
pub(crate) const OBJECTS: u32 = 10_000;

/// A cache, and what it keeps of `metadata.managedFields`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Holder {
    /// kb's store as its manager makes it: the operator's own fields.
    Kb,
    /// kb's store by itself: none.
    KbTrimmed,
    /// kube's reflector: all.
    Kube,
    /// kube's reflector with a `modify` that drops them: none.
    KubeTrimmed,
}

/// What is measured of a holder, in MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Measure {
    /// What it holds.
    Held(Holder),
    /// The most it had until then: lists are long before they are a cache.
    Peak(Holder),
}

/// The figures of all holders.
pub(crate) type Caches = Samples<Measure>;

impl Holder {
    const ALL: [Self; 4] = [Self::Kb, Self::KbTrimmed, Self::Kube, Self::KubeTrimmed];

    fn name(self) -> &'static str {
        match self {
            Self::Kb => "kb",
            Self::KbTrimmed => "kb-trimmed",
            Self::Kube => "kube",
            Self::KubeTrimmed => "kube-trimmed",
        }
    }

    /// Fills the cache, and prints what the process has grown by, and by how much it had at the most.
    pub(crate) fn hold(self) -> Result<()> {
        let runtime = tokio::runtime::Runtime::new().context("cannot start tokio")?;
        let _entered = runtime.enter();
        let api = Api::all(server::client(OBJECTS as usize)?);
        let before = Resident::now().context("this system has no /proc/self/status")?;
        let count = runtime.block_on(async {
            let count = match self {
                Self::Kb => filled(api, Some(MANAGER)).await,
                Self::KbTrimmed => filled(api, None).await,
                Self::Kube => reflected(api, |_| {}).await,
                Self::KubeTrimmed => reflected(api, drop_managed_fields).await,
            };
            // The last page of the list is let go when the watch has begun.
            tokio::time::sleep(Duration::from_millis(100)).await;
            count
        });
        let after = Resident::now().context("this system has no /proc/self/status")?;
        ensure!(count == OBJECTS as usize, "there are {count} objects");
        let growth = |after: u32| after.saturating_sub(before.kibibytes);
        println!("{} {}", growth(after.kibibytes), growth(after.peak));
        Ok(())
    }

    /// The same in another process, in KiB.
    fn measure(self) -> Result<[u32; 2]> {
        let bench = env::current_exe().context("cannot find this benchmark's own executable")?;
        let text = printed(Command::new(bench).args([HOLD, self.name()]))?;
        let figures: Option<Vec<u32>> = text.split(' ').map(|word| word.parse().ok()).collect();
        let Some(&[held, peak]) = figures.as_deref() else {
            bail!(
                "{HOLD} {} printed `{text}` instead of two numbers",
                self.name()
            );
        };
        Ok([held, peak])
    }
}

impl FromStr for Holder {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|holder| holder.name() == name)
            .with_context(|| format!("there is no cache `{name}`"))
    }
}

/// Has all caches filled. Where memory cannot be read, there are no figures.
pub(crate) fn run(options: &Options) -> Result<Caches> {
    let mut caches = Caches::default();
    if Resident::now().is_none() {
        return Ok(caches);
    }
    let rounds = options.series();
    for round in 1..=rounds {
        eprintln!("bench: runtime, memory of caches: {round} of {rounds}");
        for holder in Holder::ALL {
            let [held, peak] = holder.measure()?;
            caches.memory(Measure::Held(holder), Some(held));
            caches.memory(Measure::Peak(holder), Some(peak));
        }
    }
    Ok(caches)
}

/// Fills a store of kb. The task of its watch keeps it.
async fn filled(api: Api<Deployment>, keep: Option<&str>) -> usize {
    let config = Config {
        keep_managed_fields_of: keep.map(ToOwned::to_owned),
        ..Config::default()
    };
    let (store, watch) = Store::new(vec![api], config);
    tokio::spawn(watch.run());
    store.wait_until_synced().await;
    store.len()
}

/// Fills a store of kube. The task of its watch keeps it.
async fn reflected(api: Api<Deployment>, modify: fn(&mut Deployment)) -> usize {
    let (store, writer) = reflector::store();
    let objects = watcher(api, watcher::Config::default()).default_backoff();
    let reflected = objects.modify(modify).reflect(writer);
    tokio::spawn(reflected.for_each(|_| std::future::ready(())));
    // It fails only when the task above is gone. Then there are no objects, which is seen.
    let _ = store.wait_until_ready().await;
    store.len()
}

fn drop_managed_fields(object: &mut Deployment) {
    object.metadata.managed_fields = None;
}
