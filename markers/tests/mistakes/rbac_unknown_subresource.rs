#[kb::rbac(groups = "apps", resources = "deployments/logs", verbs = "get")]
fn work() {}

fn main() {
    work();
}
