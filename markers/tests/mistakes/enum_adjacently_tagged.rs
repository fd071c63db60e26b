/// A choice.
#[kb::object]
#[serde(tag = "type", content = "value")]
pub enum Mistake {
    /// A variant.
    A(i32),
}

fn main() {}
