#[kb::rbac("metrics": get)]
fn work() {}

fn main() {
    work();
}
