/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(scale(size))]
    pub field: i32,
}

fn main() {}
