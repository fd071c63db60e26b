/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(required, optional)]
    pub field: Option<i32>,
}

fn main() {}
