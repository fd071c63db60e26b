/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(column)]
    pub field: Vec<String>,
}

fn main() {}
