#[kb::object]
struct Part {
    name: String,
}

#[kb::object]
struct Spec {
    #[kb(selectable)]
    part: Part,
}

fn main() {}
