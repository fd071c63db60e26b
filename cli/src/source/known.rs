//! Types of other crates that the command knows: Rust's own, those of `serde_json`, kube's `Duration`, and Kubernetes'.
//!
//! Everything here is by path in full. One type can be reached by several paths: [`canonical`] makes one of them.
//! What `runtime` says of the same types (`impl Schema for ..`) and what is said here must be the same.

use kb_model::{api::Type, core_types};
use serde_json::json;

/// What a known type is, and what it makes of its arguments.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Known {
    /// This one, without arguments.
    Plain(Type),
    /// What its first argument is: `Box`.
    Transparent,
    /// `Option`.
    Optional,
    /// `Vec` and its like.
    List,
    /// `BTreeSet` and its like.
    Set,
    /// `BTreeMap` and its like.
    Map,
    /// One that cannot stand in an API: why, and what to do.
    Refused(&'static str, &'static str),
}

/// The type with this canonical path.
pub(super) fn of(path: &str) -> Option<Known> {
    let known = match path {
        "std::string::String"
        | "std::path::PathBuf"
        | "std::path::Path"
        | "std::net::IpAddr"
        | "kube::core::Duration" => Known::Plain(Type::String),
        "std::net::Ipv4Addr" => formatted("ipv4"),
        "std::net::Ipv6Addr" => formatted("ipv6"),
        "std::boxed::Box" | "std::rc::Rc" | "std::sync::Arc" | "std::borrow::Cow" => {
            Known::Transparent
        }
        "std::option::Option" => Known::Optional,
        "std::vec::Vec" | "std::collections::VecDeque" => Known::List,
        "std::collections::BTreeSet" | "std::collections::HashSet" => Known::Set,
        "std::collections::BTreeMap" | "std::collections::HashMap" => Known::Map,
        "serde_json::Value" => Known::Plain(Type::Any),
        "serde_json::Map" => Known::Plain(Type::Map(Box::new(Type::Any))),
        "std::time::Duration" => Known::Refused(
            "serde writes `std::time::Duration` as an object of two numbers",
            "write `kb::Duration`: it is a string as in `1h30m`",
        ),
        path => Known::Plain(Type::Core(core_types::component(path)?.to_owned())),
    };
    Some(known)
}

fn formatted(format: &str) -> Known {
    Known::Plain(Type::Raw(json!({"type": "string", "format": format})))
}

/// The one path for something that has several.
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

/// Collections have a module each, too: `std::collections::btree_map::BTreeMap`.
fn moved(path: &str) -> Option<String> {
    let rest = path.strip_prefix("std::collections::")?;
    let (_, name) = rest.split_once("::")?;
    let short = format!("std::collections::{name}");
    of(&short).is_some().then_some(short)
}

/// What kb's library re-exports.
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

/// Whether a known module has this: for what `*` brings.
pub(super) fn is_exported(path: &str) -> bool {
    of(path).is_some()
        || matches!(
            path,
            "kb::object" | "kb::rbac" | "kb::resource" | "kb::CrdDefinition"
        )
        || matches!(path, "kube" | "k8s_openapi" | "serde_json")
        || path.strip_prefix("k8s_openapi::").is_some_and(is_package)
}

/// Whether this is a module of k8s-openapi that leads to types.
fn is_package(rest: &str) -> bool {
    let prefix = rest.replace("::", ".").replace('_', "-");
    core_types::components().any(|component| {
        component
            .strip_prefix("io.k8s.")
            .and_then(|component| component.strip_prefix(prefix.as_str()))
            .is_some_and(|below| below.starts_with('.'))
    })
}

/// Whether `*` of this path brings nothing but what [`is_exported`] says, as far as types are concerned.
pub(super) fn is_closed(path: &str) -> bool {
    let name = path.split("::").next().unwrap_or(path);
    matches!(
        name,
        "std" | "kb" | "kube" | "k8s_openapi" | "serde" | "serde_json" | "schemars"
    )
}
