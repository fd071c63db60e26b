/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(exclusive_minimum)]
    pub field: i32,
}

fn main() {}
