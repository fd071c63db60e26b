/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[serde(renam = "a")]
    pub field: i32,
}

fn main() {}
