//! `list_type` and `list_map_key`: how server-side apply merges a list.

use std::collections::BTreeSet;

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "ListTypeCase")]
pub struct ListTypeCaseSpec {
    /// By the keys of its elements.
    #[kb(list_map_key = "name")]
    pub ports: Vec<Port>,
    /// By two keys.
    #[kb(list_type = "map", list_map_key = "name", list_map_key = "number")]
    pub pairs: Vec<Port>,
    /// By the elements themselves.
    #[kb(list_type = "set")]
    pub finalizers: Vec<String>,
    /// As one value.
    #[kb(list_type = atomic)]
    pub arguments: Vec<String>,
    /// A set by its type.
    pub zones: BTreeSet<String>,
}

/// A port.
#[kb::object]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its number.
    pub number: i32,
}
