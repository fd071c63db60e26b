#[kb::rbac(groups = "apps", resources = "deployments", verbs = "get", verbs = "list")]
fn work() {}

fn main() {
    work();
}
