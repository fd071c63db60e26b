/// A kind.
#[kb::resource(group = "example.com", version = "v1", kind = "Mistake")]
pub struct Mistake {
    /// A field.
    pub a: Option<i32>,
}

fn main() {}
