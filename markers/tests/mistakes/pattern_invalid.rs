/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(pattern = "^[a-z+$")]
    pub field: String,
}

fn main() {}
