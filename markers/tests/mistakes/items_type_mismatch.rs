/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(items(minimum = 1))]
    pub field: Vec<String>,
}

fn main() {}
