#[kb::rbac(groups = "apps", resources = "deployments", verbs = get)]
fn work() {}

fn main() {
    work();
}
