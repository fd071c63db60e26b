/// An object.
#[kb::object]
pub union Mistake {
    a: i32,
    b: u32,
}

fn main() {}
