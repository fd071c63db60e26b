/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(values(min_length = 1))]
    pub field: Vec<String>,
}

fn main() {}
