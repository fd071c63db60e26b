/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(multiple_of = 2)]
    pub field: bool,
}

fn main() {}
