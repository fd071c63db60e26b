/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub field: Vec<String>,
}

fn main() {}
