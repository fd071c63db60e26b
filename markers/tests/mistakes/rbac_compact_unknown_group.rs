#[kb::rbac("app/deployments": get)]
fn work() {}

fn main() {
    work();
}
