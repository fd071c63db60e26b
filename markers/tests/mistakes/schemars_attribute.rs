/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[schemars(range(min = 1))]
    pub a: i32,
}

fn main() {}
