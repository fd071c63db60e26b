/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(list_type = "set", list_map_key = "name")]
    pub field: Vec<String>,
}

fn main() {}
