/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    pub field: std::time::Duration,
}

fn main() {}
