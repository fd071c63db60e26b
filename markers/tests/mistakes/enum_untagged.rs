/// A choice.
#[kb::object]
#[serde(untagged)]
pub enum Mistake {
    /// A variant.
    A(i32),
}

fn main() {}
