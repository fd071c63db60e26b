/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(lossy = " ")]
    pub field: String,
}

fn main() {}
