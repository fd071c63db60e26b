/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(enum = [])]
    pub field: String,
}

fn main() {}
