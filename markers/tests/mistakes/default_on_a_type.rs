/// An object.
#[kb::object]
#[kb(default = 1)]
pub struct Mistake {
    /// A field.
    pub a: Option<i32>,
}

fn main() {}
