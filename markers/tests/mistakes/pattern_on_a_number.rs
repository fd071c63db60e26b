/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(pattern = "a")]
    pub field: i64,
}

fn main() {}
