#[kb::rbac("deployments": get)]
fn work() {}

fn main() {
    work();
}
