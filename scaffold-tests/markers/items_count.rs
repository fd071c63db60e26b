//! `min_items` and `max_items`: number of elements of a list.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "ItemsCountCase")]
pub struct ItemsCountCaseSpec {
    /// One or two elements.
    #[kb(min_items = 1, max_items = 2)]
    pub hosts: Vec<String>,
    /// Exactly three elements.
    pub corners: [i32; 3],
}
