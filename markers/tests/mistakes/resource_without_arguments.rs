/// A kind.
#[kb::resource()]
pub struct MistakeSpec {
    /// A field.
    pub a: Option<i32>,
}

fn main() {}
