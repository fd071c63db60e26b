/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(at_most_one_of("a", "b"))]
    pub field: i32,
}

fn main() {}
