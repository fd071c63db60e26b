/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    pub field: fn() -> i32,
}

fn main() {}
