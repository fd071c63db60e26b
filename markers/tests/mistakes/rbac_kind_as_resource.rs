#[kb::rbac(groups = "apps", resources = "Deployment", verbs = "get")]
fn work() {}

fn main() {
    work();
}
