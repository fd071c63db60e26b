/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    pub field: (),
}

fn main() {}
