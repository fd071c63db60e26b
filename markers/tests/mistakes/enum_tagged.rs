/// A choice.
#[kb::object]
#[serde(tag = "type")]
pub enum Mistake {
    /// A variant.
    A { a: i32 },
}

fn main() {}
