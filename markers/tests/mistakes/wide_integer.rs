/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    pub field: u128,
}

fn main() {}
