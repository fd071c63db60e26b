#[kb::rbac("apps/deployments")]
fn work() {}

fn main() {
    work();
}
