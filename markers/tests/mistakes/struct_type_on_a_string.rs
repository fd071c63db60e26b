/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(struct_type = "atomic")]
    pub field: String,
}

fn main() {}
