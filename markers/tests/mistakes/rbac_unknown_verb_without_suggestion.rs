#[kb::rbac(groups = "apps", resources = "deployments", verbs = "frobnicate")]
fn work() {}

fn main() {
    work();
}
