/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(maximum = 9007199254740993)]
    pub field: i64,
}

fn main() {}
