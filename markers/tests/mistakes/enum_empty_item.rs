/// A choice.
#[kb::object]
pub enum Mistake {}

fn main() {}
