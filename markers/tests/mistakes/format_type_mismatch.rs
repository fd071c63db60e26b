/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(format = "int32")]
    pub field: String,
}

fn main() {}
