/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[kb(minimum = 1)]
    pub name: String,
    /// A field.
    #[kb(max_lenght = 3)]
    pub text: String,
    /// A field.
    pub ratio: f64,
}

fn main() {}
