/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    pub field: f64,
}

fn main() {}
