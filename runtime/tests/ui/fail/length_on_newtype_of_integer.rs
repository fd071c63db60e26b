#[kb::object]
struct Port(u16);

#[kb::object]
struct Spec {
    #[kb(max_length = 5)]
    port: Option<Port>,
}

fn main() {}
