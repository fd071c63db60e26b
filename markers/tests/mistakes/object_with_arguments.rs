/// An object.
#[kb::object(kind = "Mistake")]
pub struct Mistake {
    /// A field.
    pub a: i32,
}

fn main() {}
