/// A kind.
#[kb::resource(group = "Example", version = "v1", kind = "Mistake")]
pub struct MistakeSpec {
    /// A field.
    pub a: Option<i32>,
}

fn main() {}
