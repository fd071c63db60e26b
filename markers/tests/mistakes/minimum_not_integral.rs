/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(minimum = 0.5)]
    pub field: i32,
}

fn main() {}
