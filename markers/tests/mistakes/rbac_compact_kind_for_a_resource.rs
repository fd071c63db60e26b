#[kb::rbac("apps/Deployment/scale": get)]
fn work() {}

fn main() {
    work();
}
