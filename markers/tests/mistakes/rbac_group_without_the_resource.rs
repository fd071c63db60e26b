#[kb::rbac(groups = "apps;batch", resources = "deployments", verbs = "get")]
fn work() {}

fn main() {
    work();
}
