/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(minimun = 1)]
    pub field: i32,
}

fn main() {}
