//! Known types of other crates: std, `serde_json`, kube's `Duration` and k8s-openapi.
//!
//! Types are identified by their full path. [`canonical`] normalizes the paths of re-exports. The runtime implements
//! `kb::Schema` for the same types; a test compares the two.

use kb_model::{api::Type, core_types};
use serde_json::json;

/// A type of another crate.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum KnownType {
    /// A type without arguments.
    Plain(Type),
    /// Same as its first argument: `Box`.
    Transparent,
    /// `Option`.
    Optional,
    /// `Vec` and the like.
    List,
    /// `BTreeSet` and the like.
    Set,
    /// `BTreeMap` and the like.
    Map,
    /// Not supported in an API: message and help.
    Unsupported(&'static str, &'static str),
}

/// Returns the type with this canonical path.
pub(super) fn of(path: &str) -> Option<KnownType> {
    let known = match path {
        "std::string::String"
        | "std::path::PathBuf"
        | "std::path::Path"
        | "std::net::IpAddr"
        | "kube::core::Duration" => KnownType::Plain(Type::String),
        "std::net::Ipv4Addr" => formatted("ipv4"),
        "std::net::Ipv6Addr" => formatted("ipv6"),
        "std::boxed::Box" | "std::rc::Rc" | "std::sync::Arc" | "std::borrow::Cow" => {
            KnownType::Transparent
        }
        "std::option::Option" => KnownType::Optional,
        "std::vec::Vec" | "std::collections::VecDeque" => KnownType::List,
        "std::collections::BTreeSet" | "std::collections::HashSet" => KnownType::Set,
        "std::collections::BTreeMap" | "std::collections::HashMap" => KnownType::Map,
        "serde_json::Value" => KnownType::Plain(Type::Any),
        "serde_json::Map" => KnownType::Plain(Type::Map(Box::new(Type::Any))),
        "std::time::Duration" => KnownType::Unsupported(
            "serde serializes `std::time::Duration` as an object of two numbers",
            "use `kb::Duration`, a string such as `1h30m`",
        ),
        path => KnownType::Plain(Type::Core(core_types::component(path)?.to_owned())),
    };
    Some(known)
}

fn formatted(format: &str) -> KnownType {
    KnownType::Plain(Type::Raw(json!({"type": "string", "format": format})))
}

/// Returns the canonical path of an item.
pub(super) fn canonical(path: &str) -> String {
    let (first, rest) = path.split_once("::").unwrap_or((path, ""));
    let path = match (first, rest) {
        ("core" | "alloc", _) => joined("std", rest),
        ("kb", rest) => return of_kb(rest),
        ("kube_core", rest) => joined("kube::core", rest),
        _ => path.to_owned(),
    };
    match path.as_str() {
        "kube::core::duration::Duration" => "kube::core::Duration".to_owned(),
        "serde_json::value::Value" => "serde_json::Value".to_owned(),
        "serde_json::map::Map" => "serde_json::Map".to_owned(),
        path => moved(path).unwrap_or_else(|| path.to_owned()),
    }
}

/// Normalizes `std::collections::btree_map::BTreeMap`.
fn moved(path: &str) -> Option<String> {
    let rest = path.strip_prefix("std::collections::")?;
    let (_, name) = rest.split_once("::")?;
    let short = format!("std::collections::{name}");
    of(&short).is_some().then_some(short)
}

/// Normalizes a path into `kb`, which re-exports other crates.
fn of_kb(rest: &str) -> String {
    let (first, below) = rest.split_once("::").unwrap_or((rest, ""));
    match first {
        "k8s_openapi" | "kube" | "serde" | "serde_json" | "schemars" => {
            canonical(&joined(first, below))
        }
        "Duration" => "kube::core::Duration".to_owned(),
        _ => joined("kb", rest),
    }
}

fn joined(first: &str, rest: &str) -> String {
    match rest {
        "" => first.to_owned(),
        rest => format!("{first}::{rest}"),
    }
}

/// Returns whether a glob import of a known module provides this path.
pub(super) fn is_exported(path: &str) -> bool {
    of(path).is_some()
        || matches!(
            path,
            "kb::object" | "kb::rbac" | "kb::resource" | "kb::CrdDefinition"
        )
        || matches!(path, "kube" | "k8s_openapi" | "serde_json")
        || path.strip_prefix("k8s_openapi::").is_some_and(is_package)
}

/// Returns whether this is a module of k8s-openapi that contains types.
fn is_package(rest: &str) -> bool {
    let prefix = rest.replace("::", ".").replace('_', "-");
    core_types::components().any(|component| {
        component
            .strip_prefix("io.k8s.")
            .and_then(|component| component.strip_prefix(prefix.as_str()))
            .is_some_and(|below| below.starts_with('.'))
    })
}

/// Returns whether [`is_exported`] knows all types of this crate.
pub(super) fn is_closed(path: &str) -> bool {
    let name = path.split("::").next().unwrap_or(path);
    matches!(
        name,
        "std" | "kb" | "kube" | "k8s_openapi" | "serde" | "serde_json" | "schemars"
    )
}
