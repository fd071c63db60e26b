#[kb::object]
struct Port(u16);

#[kb::object]
struct Spec {
    #[kb(enum = ["http", "https"])]
    port: Port,
}

fn main() {}
