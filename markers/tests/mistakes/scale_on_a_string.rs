/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(scale(replicas))]
    pub field: String,
}

fn main() {}
