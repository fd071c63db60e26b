/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(minimum = 5, maximum = 1)]
    pub field: i32,
}

fn main() {}
