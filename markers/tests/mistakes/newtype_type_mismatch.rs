/// A text.
#[kb::object]
#[kb(maximum = 3)]
pub struct Mistake(pub String);

fn main() {}
