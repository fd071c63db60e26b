/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(cel("true", mesage = "a"))]
    pub field: String,
}

fn main() {}
