/// An object.
#[kb::object]
#[kube(group = "example.com")]
pub struct Mistake {
    /// A field.
    pub a: i32,
}

fn main() {}
