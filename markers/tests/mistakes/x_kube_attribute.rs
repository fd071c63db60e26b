/// An object.
#[kb::object]
pub struct Mistake {
    /// A field.
    #[x_kube(validation = "self > 1")]
    pub a: i32,
}

fn main() {}
