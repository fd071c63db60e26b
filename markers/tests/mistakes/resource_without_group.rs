/// A kind.
#[kb::resource(version = "v1", kind = "Mistake")]
pub struct MistakeSpec {
    /// A field.
    pub a: Option<i32>,
}

fn main() {}
