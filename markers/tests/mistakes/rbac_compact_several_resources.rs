#[kb::rbac("apps/deployments;statefulsets": get)]
fn work() {}

fn main() {
    work();
}
