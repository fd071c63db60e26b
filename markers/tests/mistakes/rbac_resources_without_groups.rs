#[kb::rbac(resources = "deployments", verbs = "get")]
fn work() {}

fn main() {
    work();
}
