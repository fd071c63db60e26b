/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(items(min_length = 1))]
    pub field: String,
}

fn main() {}
