/// An object.
#[kb::object]
#[kb(minimum = 1)]
pub struct Mistake {
    /// A field.
    pub a: Option<i32>,
}

fn main() {}
