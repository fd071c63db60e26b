#[kb::object]
struct Spec {
    #[kb(default = PORT)]
    port: u16,
    #[kb(default = name())]
    name: Option<String>,
}

const PORT: &str = "http";

fn name() -> u8 {
    1
}

fn main() {}
