//! `map_type` and `struct_type`: how server-side apply merges an object.

use std::collections::BTreeMap;

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "MapTypeCase")]
pub struct MapTypeCaseSpec {
    /// As one value.
    #[kb(map_type = "atomic")]
    pub labels: BTreeMap<String, String>,
    /// Key by key, which is what happens anyway.
    #[kb(map_type = granular)]
    pub annotations: BTreeMap<String, String>,
    /// As one value, by its type.
    pub reference: Reference,
}

/// A name.
#[kb::object]
#[kb(struct_type = "atomic")]
pub struct Reference {
    /// The name.
    pub name: String,
}
