#[kb::rbac(groups = "apps", resources = "deployments", verbs = "get", reason = 1)]
fn work() {}

fn main() {
    work();
}
