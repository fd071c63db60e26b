/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[serde(with = "module")]
    pub field: i32,
}

fn main() {}
