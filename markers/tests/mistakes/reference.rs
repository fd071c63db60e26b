/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    pub field: &'static i32,
}

fn main() {}
