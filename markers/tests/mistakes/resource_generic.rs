/// A kind.
#[kb::resource(group = "example.com", version = "v1", kind = "Mistake")]
pub struct MistakeSpec<T> {
    /// A field.
    pub a: T,
}

fn main() {}
