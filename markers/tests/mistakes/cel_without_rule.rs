/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(cel(message = "a"))]
    pub field: String,
}

fn main() {}
