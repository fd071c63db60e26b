/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    pub field: std::collections::BTreeMap<i32, String>,
}

fn main() {}
