/// A choice.
#[kb::object]
pub enum Mistake {
    /// A variant.
    A(i32, i32),
}

fn main() {}
