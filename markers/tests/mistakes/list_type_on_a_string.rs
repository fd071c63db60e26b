/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(list_type = "set")]
    pub field: String,
}

fn main() {}
