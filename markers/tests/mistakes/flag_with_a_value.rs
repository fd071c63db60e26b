/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(nullable = "yes")]
    pub field: Option<i32>,
}

fn main() {}
