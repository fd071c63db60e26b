//! Look-ups in a store, and the walks that plain kube has instead.
//!
//! Both hold the same objects: kb as text, which it reads when an object is found, and kube as values. Keys are made before the clock starts,
//! and taken in an order that no processor's cache foresees; each sample goes on with those that the one before it left out.

use std::{cell::Cell, collections::BTreeMap, hint::black_box, time::Instant};

use anyhow::{Result, ensure};
use kb::{
    k8s_openapi::{
        api::core::v1::ConfigMap,
        apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference},
    },
    store::{Index, Store},
};
use kube::{
    Resource,
    runtime::reflector::{self, ObjectRef},
};

use super::reflected;
use crate::{options::Options, samples::Samples};

/// How many objects the stores hold.
pub(crate) const SIZES: [usize; 2] = [1_000, 100_000];
/// How many of them have one owner, and one value of the label.
pub(crate) const MATCHES: usize = 10;

const NAMESPACE: &str = "shop";
const LABEL: &str = "app.kubernetes.io/instance";
/// Look-ups in a sample: a single one is shorter than the clock is exact.
const LOOKUPS: usize = 20_000;
/// Objects that the walks of a sample look at, together.
const WALKED: usize = 1_000_000;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lookup {
    /// All objects of an owner.
    Owner,
    /// All objects with a value of a label.
    Label,
    /// The object of a name, which kube finds without a walk as well.
    Name,
}

impl Lookup {
    pub(crate) const ALL: [Self; 3] = [Self::Owner, Self::Label, Self::Name];
}

/// A look-up among so many objects, in nanoseconds.
pub(crate) type Measure = (Lookup, usize);

/// The figures of both.
#[derive(Debug, Default)]
pub(crate) struct Lookups {
    pub(crate) kb: Samples<Measure>,
    pub(crate) kube: Samples<Measure>,
}

/// Makes all look-ups.
pub(crate) fn run(options: &Options) -> Result<Lookups> {
    let mut lookups = Lookups::default();
    for size in SIZES {
        eprintln!("bench: runtime, look-ups: making {size} objects");
        let shelf = Shelf::new(size);
        for round in 1..=options.runs {
            eprintln!(
                "bench: runtime, look-ups in {size} objects: {round} of {}",
                options.runs
            );
            for lookup in Lookup::ALL {
                let measure = (lookup, size);
                lookups.kb.push(measure, shelf.kb(lookup)?);
                lookups.kube.push(measure, shelf.kube(lookup)?);
            }
        }
    }
    Ok(lookups)
}

/// A store, and what is looked for in it.
struct Shelf {
    store: Store<ConfigMap>,
    by_label: Index<ConfigMap>,
    kube: reflector::Store<ConfigMap>,
    owners: Vec<String>,
    labels: Vec<String>,
    names: Vec<String>,
    /// The key that is next.
    position: Cell<usize>,
}

impl Shelf {
    fn new(size: usize) -> Self {
        let groups = size / MATCHES;
        let store: Store<_> = (0..size).map(object).collect();
        Self {
            by_label: store.label_index(LABEL),
            store,
            kube: reflected((0..size).map(object)),
            owners: (0..groups).map(owner).collect(),
            labels: (0..groups).map(label).collect(),
            names: (0..size).map(name).collect(),
            position: Cell::default(),
        }
    }

    /// Nanoseconds per look-up in kb's store.
    fn kb(&self, lookup: Lookup) -> Result<f64> {
        match lookup {
            Lookup::Owner => self.timed(&self.owners, LOOKUPS, MATCHES, |uid| {
                self.store.owned_by(uid).len()
            }),
            Lookup::Label => self.timed(&self.labels, LOOKUPS, MATCHES, |value| {
                self.by_label.get(value).len()
            }),
            Lookup::Name => self.timed(&self.names, LOOKUPS, 1, |name| {
                usize::from(self.store.get(Some(NAMESPACE), name).is_some())
            }),
        }
    }

    /// The same with what kube has.
    fn kube(&self, lookup: Lookup) -> Result<f64> {
        let reader = &self.kube;
        let walks = WALKED / self.names.len();
        match lookup {
            Lookup::Owner => self.timed(&self.owners, walks, MATCHES, |uid| {
                let owned = |object: &ConfigMap| {
                    let mut owners = object.meta().owner_references.iter().flatten();
                    owners.any(|owner| owner.uid == *uid)
                };
                reader.state_filter(owned).len()
            }),
            Lookup::Label => self.timed(&self.labels, walks, MATCHES, |value| {
                let labelled = |object: &ConfigMap| {
                    let labels = object.meta().labels.as_ref();
                    labels.and_then(|labels| labels.get(LABEL)) == Some(value)
                };
                reader.state_filter(labelled).len()
            }),
            Lookup::Name => self.timed(&self.names, LOOKUPS, 1, |name| {
                let key = ObjectRef::new(name).within(NAMESPACE);
                usize::from(reader.get(&key).is_some())
            }),
        }
    }

    /// Nanoseconds per look-up, each of which must find so many objects: one that finds nothing is fast.
    #[allow(
        clippy::cast_precision_loss,
        reason = "thousands of look-ups, and seconds at most"
    )]
    fn timed(
        &self,
        keys: &[String],
        count: usize,
        matches: usize,
        look_up: impl Fn(&String) -> usize,
    ) -> Result<f64> {
        // A prime that is a factor of no number of keys here: each is asked for as often as any other.
        const STEP: usize = 7_919;
        let mut position = self.position.get() % keys.len();
        let mut total = 0;
        let start = Instant::now();
        for _ in 0..count {
            total += black_box(look_up(black_box(&keys[position])));
            position = (position + STEP) % keys.len();
        }
        let time = start.elapsed();
        self.position.set(position);
        ensure!(
            total == count * matches,
            "{count} look-ups found {total} objects instead of {matches} each"
        );
        Ok(time.as_nanos() as f64 / count as f64)
    }
}

fn object(number: usize) -> ConfigMap {
    let group = number / MATCHES;
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(name(number)),
            namespace: Some(NAMESPACE.to_owned()),
            uid: Some(format!("5a1e0f5c-7d0b-4b1e-9c55-{number:012}")),
            resource_version: Some(number.to_string()),
            labels: Some(BTreeMap::from([(LABEL.to_owned(), label(group))])),
            owner_references: Some(vec![OwnerReference {
                uid: owner(group),
                name: label(group),
                ..OwnerReference::default()
            }]),
            ..ObjectMeta::default()
        },
        ..ConfigMap::default()
    }
}

fn name(number: usize) -> String {
    format!("settings-{number}")
}

fn label(group: usize) -> String {
    format!("shop-{group}")
}

/// As long as UIDs are.
fn owner(group: usize) -> String {
    format!("9f0c3c1e-2f6a-4d53-8a3e-{group:012}")
}
