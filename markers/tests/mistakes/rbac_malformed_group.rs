#[kb::rbac(groups = "Apps", resources = "deployments", verbs = "get")]
fn work() {}

fn main() {
    work();
}
