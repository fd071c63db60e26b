//! Resolves paths in a schema.
//!
//! For paths written by users: columns and scale paths of the kind, and the `field_path` of rules. Paths with indices and filters are left to the
//! API server.

use serde_json::Value;

use super::node::{Keywords, preserves};

/// Target of a path.
#[derive(Debug, PartialEq)]
pub(crate) enum Target<'s> {
    /// This schema.
    Schema(&'s Keywords),
    /// A location without schema.
    Open,
    /// Nothing.
    Missing,
    /// The path contains more than names and is not resolved.
    Unsupported,
}

/// Resolves a path such as `.spec.replicas`.
pub(crate) fn lookup<'s>(root: &'s Keywords, path: &str) -> Target<'s> {
    let Some(names) = path.strip_prefix('.') else {
        return Target::Unsupported;
    };
    if !names.split('.').all(super::path::is_plain) {
        return Target::Unsupported;
    }
    let mut schema = root;
    for name in names.split('.') {
        let property = schema
            .get("properties")
            .and_then(|all| all.get(name))
            .or_else(|| schema.get("additionalProperties"));
        match property {
            Some(Value::Object(next)) => schema = next,
            Some(_) => return Target::Open,
            None if preserves(schema) => return Target::Open,
            None => return Target::Missing,
        }
    }
    Target::Schema(schema)
}

/// Returns whether a rule can report its failure at a path: `.a.b` or `['a'].b`.
pub(super) fn is_field_path(root: &Keywords, path: &str) -> bool {
    match lookup(root, path) {
        Target::Schema(_) => true,
        // The API server only accepts declared properties.
        Target::Open | Target::Missing => false,
        Target::Unsupported => path.starts_with(['.', '[']),
    }
}
