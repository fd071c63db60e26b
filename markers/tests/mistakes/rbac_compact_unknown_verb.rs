#[kb::rbac("apps/deployments": get, lsit)]
fn work() {}

fn main() {
    work();
}
