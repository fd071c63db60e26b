/// A kind.
#[kb::resource(group = "example.com", version = "1", kind = "Mistake")]
pub struct MistakeSpec {
    /// A field.
    pub a: Option<i32>,
}

fn main() {}
