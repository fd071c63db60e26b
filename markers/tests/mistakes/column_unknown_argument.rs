/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(column(nmae = "A"))]
    pub field: i32,
}

fn main() {}
