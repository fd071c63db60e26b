#[kb::rbac("apps/deployments": get list)]
fn work() {}

fn main() {
    work();
}
