#[kb::rbac("events": create)]
fn work() {}

fn main() {
    work();
}
