#[kb::rbac("apps/deployments": get, reason)]
fn work() {}

fn main() {
    work();
}
