/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(list_type = "bag")]
    pub field: Vec<String>,
}

fn main() {}
