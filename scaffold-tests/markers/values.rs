//! `values`: markers for the values of a map.

use std::collections::BTreeMap;

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "ValuesCase")]
pub struct ValuesCaseSpec {
    /// Short values.
    #[kb(values(max_length = 63))]
    pub labels: BTreeMap<String, String>,
    /// Map of lists.
    #[kb(values(min_items = 1, items(format = "ipv4")))]
    pub addresses: BTreeMap<String, Vec<String>>,
}
