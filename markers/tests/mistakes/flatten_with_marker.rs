/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(nullable)]
    #[serde(flatten)]
    pub field: std::collections::BTreeMap<String, String>,
}

fn main() {}
