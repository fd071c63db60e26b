/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    pub field: (i32, String),
}

fn main() {}
