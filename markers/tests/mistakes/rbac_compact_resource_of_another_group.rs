#[kb::rbac("apps/services": get)]
fn work() {}

fn main() {
    work();
}
