/// An object.
#[kb::object]
pub struct Mistake;

fn main() {}
