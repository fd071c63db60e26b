#[kb::rbac("pods/log": get)]
fn work() {}

fn main() {
    work();
}
