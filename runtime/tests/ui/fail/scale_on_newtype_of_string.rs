#[kb::object]
struct Count(String);

#[kb::object]
struct Spec {
    #[kb(scale(replicas))]
    count: Count,
}

fn main() {}
