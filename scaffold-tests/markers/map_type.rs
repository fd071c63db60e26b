//! `map_type` and `struct_type`: merge strategy of an object for server-side apply.

use std::collections::BTreeMap;

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "MapTypeCase")]
pub struct MapTypeCaseSpec {
    /// Replaced as a whole.
    #[kb(map_type = "atomic")]
    pub labels: BTreeMap<String, String>,
    /// Merged by key, which is the default.
    #[kb(map_type = granular)]
    pub annotations: BTreeMap<String, String>,
    /// Replaced as a whole because of its type.
    pub reference: Reference,
}

/// Name.
#[kb::object]
#[kb(struct_type = "atomic")]
pub struct Reference {
    /// Name.
    pub name: String,
}
