/// A choice.
#[kb::object]
pub enum Mistake {
    /// A variant.
    #[kb(minimum = 1)]
    A,
}

fn main() {}
