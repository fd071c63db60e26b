/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(unique_items)]
    pub field: Vec<String>,
}

fn main() {}
