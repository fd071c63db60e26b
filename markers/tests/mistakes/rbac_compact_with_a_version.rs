#[kb::rbac("apps/v1/deployments": get)]
fn work() {}

fn main() {
    work();
}
