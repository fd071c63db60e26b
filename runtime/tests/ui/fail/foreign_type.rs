use kb::k8s_openapi::jiff::Timestamp;

#[kb::object]
struct Spec {
    #[kb(column)]
    at: Timestamp,
}

fn main() {}
