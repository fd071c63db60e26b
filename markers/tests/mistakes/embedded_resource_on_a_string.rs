/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(embedded_resource)]
    pub field: String,
}

fn main() {}
