//! `values`: the same markers for the values of a map.

use std::collections::BTreeMap;

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "ValuesCase")]
pub struct ValuesCaseSpec {
    /// Short values.
    #[kb(values(max_length = 63))]
    pub labels: BTreeMap<String, String>,
    /// Lists in a map.
    #[kb(values(min_items = 1, items(format = "ipv4")))]
    pub addresses: BTreeMap<String, Vec<String>>,
}
