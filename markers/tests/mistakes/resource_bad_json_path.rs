/// A kind.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "Mistake",
    column(name = "Age", type = "date", json_path = "metadata")
)]
pub struct MistakeSpec {
    /// A field.
    pub a: Option<i32>,
}

fn main() {}
