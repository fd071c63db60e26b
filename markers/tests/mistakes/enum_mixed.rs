/// A choice.
#[kb::object]
pub enum Mistake {
    /// A variant.
    A,
    /// A variant.
    B(i32),
}

fn main() {}
