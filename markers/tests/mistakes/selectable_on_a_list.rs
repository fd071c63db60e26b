/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(selectable)]
    pub field: Vec<String>,
}

fn main() {}
