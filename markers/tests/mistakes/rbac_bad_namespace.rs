#[kb::rbac(groups = "apps", resources = "deployments", verbs = "get", namespace = "Shop")]
fn work() {}

fn main() {
    work();
}
