/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(external_docs(url = "no url"))]
    pub field: String,
}

fn main() {}
