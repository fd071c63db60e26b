//! `min_items` and `max_items`: how many elements a list has.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "ItemsCountCase")]
pub struct ItemsCountCaseSpec {
    /// One or two.
    #[kb(min_items = 1, max_items = 2)]
    pub hosts: Vec<String>,
    /// Always three.
    pub corners: [i32; 3],
}
