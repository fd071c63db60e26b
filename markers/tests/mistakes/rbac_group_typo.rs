#[kb::rbac(groups = "app", resources = "deployments", verbs = "get")]
fn work() {}

fn main() {
    work();
}
