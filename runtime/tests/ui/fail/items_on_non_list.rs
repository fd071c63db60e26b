type Name = String;

#[kb::object]
struct Spec {
    #[kb(items(max_length = 5))]
    name: Name,
}

fn main() {}
