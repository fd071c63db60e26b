/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(pattern = "^(?!a)b")]
    pub field: String,
}

fn main() {}
