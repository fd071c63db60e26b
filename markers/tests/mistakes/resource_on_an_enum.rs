/// A kind.
#[kb::resource(group = "example.com", version = "v1", kind = "Mistake")]
pub enum MistakeSpec {
    /// A variant.
    A,
}

fn main() {}
