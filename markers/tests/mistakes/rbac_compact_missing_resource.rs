#[kb::rbac("apps": get)]
fn work() {}

fn main() {
    work();
}
