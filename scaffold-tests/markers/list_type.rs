//! `list_type` and `list_map_key`: merge strategy of a list for server-side apply.

use std::collections::BTreeSet;

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "ListTypeCase")]
pub struct ListTypeCaseSpec {
    /// Merged by key.
    #[kb(list_map_key = "name")]
    pub ports: Vec<Port>,
    /// Merged by two keys.
    #[kb(list_type = "map", list_map_key = "name", list_map_key = "number")]
    pub pairs: Vec<Port>,
    /// Merged as a set.
    #[kb(list_type = "set")]
    pub finalizers: Vec<String>,
    /// Replaced as a whole.
    #[kb(list_type = atomic)]
    pub arguments: Vec<String>,
    /// Set by type.
    pub zones: BTreeSet<String>,
}

/// Port.
#[kb::object]
pub struct Port {
    /// Port name.
    pub name: String,
    /// Port number.
    pub number: i32,
}
