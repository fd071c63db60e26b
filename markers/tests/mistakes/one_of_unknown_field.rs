/// An object.
#[kb::object]
#[kb(at_most_one_of(a, b))]
pub struct Mistake {
    /// A field.
    pub a: Option<i32>,
}

fn main() {}
