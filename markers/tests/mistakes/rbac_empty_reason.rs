#[kb::rbac(groups = "apps", resources = "deployments", verbs = "get", reason = " ")]
fn work() {}

fn main() {
    work();
}
