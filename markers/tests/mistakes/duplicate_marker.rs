/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(minimum = 1, minimum = 2)]
    pub field: i32,
}

fn main() {}
