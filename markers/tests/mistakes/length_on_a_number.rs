/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(max_length = 3)]
    pub field: i32,
}

fn main() {}
