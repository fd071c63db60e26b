/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(enum = ["a", "a"])]
    pub field: String,
}

fn main() {}
