use std::time::Duration;

#[kb::object]
struct Spec {
    every: Option<Duration>,
}

fn main() {}
