/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(cel("true", reason = "Bad"))]
    pub field: String,
}

fn main() {}
