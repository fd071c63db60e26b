type Name = String;

#[kb::object]
struct Spec {
    #[kb(minimum = 1)]
    name: Name,
}

fn main() {}
