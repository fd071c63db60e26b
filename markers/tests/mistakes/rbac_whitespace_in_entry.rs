#[kb::rbac(groups = "apps", resources = "deployments", verbs = "get list")]
fn work() {}

fn main() {
    work();
}
