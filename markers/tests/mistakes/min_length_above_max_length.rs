/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(min_length = 5, max_length = 1)]
    pub field: String,
}

fn main() {}
