/// An object.
#[kb::object]
#[kb(exactly_one_of(a, b))]
pub struct Mistake {
    /// A field.
    pub a: i32,
    /// A field.
    pub b: Option<i32>,
}

fn main() {}
