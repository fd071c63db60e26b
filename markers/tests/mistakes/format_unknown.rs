/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(format = "emial")]
    pub field: String,
}

fn main() {}
