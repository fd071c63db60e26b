#[kb::object]
enum Phase {
    Pending,
    Running,
}

fn main() {
    let _ = Phase::default();
}
