/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(schema_type = "text")]
    pub field: String,
}

fn main() {}
