/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(enum = ["a"])]
    pub field: i32,
}

fn main() {}
