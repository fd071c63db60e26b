/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(external_docs(description = "a"))]
    pub field: String,
}

fn main() {}
