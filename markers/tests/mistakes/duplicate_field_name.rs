/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    pub a: i32,
    /// A field.
    #[serde(rename = "a")]
    pub b: i32,
}

fn main() {}
