/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(minimum = 1)]
    pub field: String,
}

fn main() {}
