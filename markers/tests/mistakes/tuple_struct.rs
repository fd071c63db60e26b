/// An object.
#[kb::object]
pub struct Mistake(i32, i32);

fn main() {}
