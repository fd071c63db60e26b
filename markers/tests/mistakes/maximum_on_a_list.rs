/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(maximum = 1)]
    pub field: Vec<i32>,
}

fn main() {}
