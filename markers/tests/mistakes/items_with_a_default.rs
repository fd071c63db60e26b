/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(items(default = 1))]
    pub field: Vec<i32>,
}

fn main() {}
