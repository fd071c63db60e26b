/// A kind.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "Mistake",
    status = "MistakeStatus"
)]
pub struct MistakeSpec {
    /// A field.
    pub a: Option<i32>,
}

fn main() {}
