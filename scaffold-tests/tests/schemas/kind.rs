//! A kind with all markers. All fields are optional, so that each can be tested alone.

use std::collections::{BTreeMap, BTreeSet};

use kb::k8s_openapi::apimachinery::pkg::{runtime::RawExtension, util::intstr::IntOrString};
use serde_json::Value;

use crate::cel::Rules;

/// Desired state.
#[kb::resource(
    group = "schemas.example.com",
    version = "v1",
    kind = "Validated",
    cel("self.metadata.name != 'root'", message = "this name is taken")
)]
pub(crate) struct ValidatedSpec {
    #[kb(minimum = 1)]
    pub minimum: Option<i64>,
    #[kb(maximum = 10)]
    pub maximum: Option<i64>,
    #[kb(minimum = 0, exclusive_minimum)]
    pub above: Option<i64>,
    #[kb(maximum = 100, exclusive_maximum)]
    pub below: Option<i64>,
    #[kb(multiple_of = 4)]
    pub multiple: Option<i64>,
    #[kb(minimum = 0.5, allow_float)]
    pub ratio: Option<f64>,
    /// Bounds of the type.
    pub port: Option<u16>,
    /// Bounds of a newtype.
    pub percent: Option<Percent>,

    #[kb(min_length = 2)]
    pub long: Option<String>,
    #[kb(max_length = 3)]
    pub short: Option<String>,
    #[kb(pattern = "^[a-z]+$")]
    pub word: Option<String>,
    #[kb(format = "ipv4")]
    pub address: Option<String>,
    #[kb(enum = ["small", "large"])]
    pub size: Option<String>,
    #[kb(enum = [1, 2, 4])]
    pub factor: Option<i32>,
    /// Values of a Rust enum.
    pub phase: Option<Phase>,

    #[kb(min_items = 1)]
    pub some: Option<Vec<String>>,
    #[kb(max_items = 2)]
    pub few: Option<Vec<String>>,
    /// Length of the type.
    pub corners: Option<[i32; 3]>,
    #[kb(list_type = "set")]
    pub once: Option<Vec<String>>,
    /// A set by its type.
    pub zones: Option<BTreeSet<String>>,
    #[kb(list_map_key = "name", list_map_key = "protocol")]
    pub ports: Option<Vec<Port>>,
    #[kb(items(max_length = 3, cel("self != 'no'", message = "not this one")))]
    pub words: Option<Vec<String>>,
    #[kb(max_items = 4, items(max_items = 2, items(minimum = 0)))]
    pub grid: Option<Vec<Vec<i32>>>,

    #[kb(min_properties = 1)]
    pub labels: Option<BTreeMap<String, String>>,
    #[kb(max_properties = 2)]
    pub annotations: Option<BTreeMap<String, String>>,
    #[kb(
        max_properties = 4,
        values(minimum = 1, cel("self != 13", message = "bad luck"))
    )]
    pub counts: Option<BTreeMap<String, i64>>,

    #[kb(nullable)]
    pub perhaps: Option<String>,
    /// Absent, and not null.
    pub plain: Option<String>,
    pub holes: Option<Vec<Option<i32>>>,
    pub parts: Option<Parts>,
    #[kb(immutable)]
    pub fixed: Option<String>,

    #[kb(preserve_unknown_fields)]
    pub open: Option<Closed>,
    pub closed: Option<Closed>,
    #[kb(embedded_resource)]
    pub manifest: Option<RawExtension>,
    /// A number or a text by its type.
    pub target: Option<IntOrString>,
    #[kb(schemaless, int_or_string)]
    pub either: Option<Value>,
    #[kb(schemaless, preserve_unknown_fields)]
    pub anything: Option<Value>,
    #[kb(schema_type = "string", pattern = "^[0-9]+s$")]
    pub timeout: Option<Value>,
    #[kb(json_schema)]
    pub foreign: Option<std::num::NonZeroU8>,

    pub storage: Option<Storage>,
    pub rules: Option<Rules>,
    pub defaults: Option<crate::defaults::Defaults>,
}

/// A percentage.
#[kb::object]
#[kb(minimum = 0, maximum = 100)]
pub(crate) struct Percent(pub i32);

/// A phase.
#[kb::object]
pub(crate) enum Phase {
    Pending,
    #[serde(rename = "Done!")]
    Done,
}

/// A port. A map key with a default is optional.
#[kb::object]
pub(crate) struct Port {
    pub name: String,
    #[kb(default = "TCP")]
    pub protocol: String,
    pub number: Option<i32>,
}

/// Required and optional fields.
#[kb::object]
pub(crate) struct Parts {
    /// By its type.
    pub plain: i32,
    #[kb(required)]
    pub said: Option<i32>,
    #[kb(optional)]
    pub hosts: Vec<String>,
}

/// A single field.
#[kb::object]
pub(crate) struct Closed {
    pub name: Option<String>,
}

/// Exactly one of these.
#[kb::object]
pub(crate) enum Storage {
    Memory {},
    Disk { path: String },
}
