/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(default = 1)]
    #[serde(default)]
    pub field: i32,
}

fn main() {}
