#[kb::rbac(groups = "apps", resources = "deployments", verbs = "post")]
fn work() {}

fn main() {
    work();
}
