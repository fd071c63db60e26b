/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(max_items = 3)]
    pub field: String,
}

fn main() {}
