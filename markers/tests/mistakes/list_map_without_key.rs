/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(list_type = "map")]
    pub field: Vec<String>,
}

fn main() {}
