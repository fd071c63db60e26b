//! `min_properties` and `max_properties`: how many keys a map has.

use std::collections::BTreeMap;

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "PropertiesCountCase")]
pub struct PropertiesCountCaseSpec {
    /// A few labels.
    #[kb(min_properties = 1, max_properties = 8)]
    pub labels: BTreeMap<String, String>,
}
