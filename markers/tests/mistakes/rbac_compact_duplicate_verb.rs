#[kb::rbac("apps/deployments": get, list, get)]
fn work() {}

fn main() {
    work();
}
