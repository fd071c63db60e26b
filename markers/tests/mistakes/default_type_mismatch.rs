/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(default = "a")]
    pub field: i32,
}

fn main() {}
