/// A kind.
#[kb::resource(group = "example.com", version = "v1", kind = "Mistake", no_spec)]
pub struct MistakeSpec {
    /// A field.
    pub metadata: Option<i32>,
}

fn main() {}
