/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    pub field: Option<Vec<f32>>,
}

fn main() {}
