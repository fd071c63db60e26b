/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(multiple_of = 0)]
    pub field: i32,
}

fn main() {}
