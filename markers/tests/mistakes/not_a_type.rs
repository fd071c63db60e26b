/// A function.
#[kb::object]
pub fn mistake() {}

fn main() {}
