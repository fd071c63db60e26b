#[kb::object]
struct Part {
    name: String,
}

#[kb::object]
struct Spec {
    #[kb(column)]
    part: Part,
}

fn main() {}
