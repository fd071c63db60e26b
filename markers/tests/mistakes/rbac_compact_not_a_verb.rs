#[kb::rbac("apps/deployments": get, 1)]
fn work() {}

fn main() {
    work();
}
