//! `min_properties` and `max_properties`: number of keys of a map.

use std::collections::BTreeMap;

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "PropertiesCountCase")]
pub struct PropertiesCountCaseSpec {
    /// Up to a few labels.
    #[kb(min_properties = 1, max_properties = 8)]
    pub labels: BTreeMap<String, String>,
}
