#[kb::rbac("apps/deployment": get)]
fn work() {}

fn main() {
    work();
}
