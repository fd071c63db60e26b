#[kb::rbac("pods": get)]
fn work() {}

fn main() {
    work();
}
