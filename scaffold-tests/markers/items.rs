//! `items`: markers for the elements of a list.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "ItemsCase")]
pub struct ItemsCaseSpec {
    /// Short names.
    #[kb(items(min_length = 1, max_length = 63, pattern = "^[a-z]+$"))]
    pub names: Vec<String>,
    /// Lists of small integers.
    #[kb(max_items = 4, items(max_items = 2, items(minimum = 0, maximum = 9)))]
    pub grid: Vec<Vec<i32>>,
    /// Rule for each element.
    #[kb(items(cel("self != 'root'")))]
    pub users: Option<Vec<String>>,
}
