/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(map_type = "atomic")]
    pub field: Vec<String>,
}

fn main() {}
