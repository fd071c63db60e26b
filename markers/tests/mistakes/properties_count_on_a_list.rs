/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(max_properties = 3)]
    pub field: Vec<String>,
}

fn main() {}
