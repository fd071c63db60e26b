/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[serde(rename(serialize = "a", deserialize = "b"))]
    pub field: i32,
}

fn main() {}
