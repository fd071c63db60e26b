#[kb::rbac(groups = "apps", resources = "deployments", verb = "get")]
fn work() {}

fn main() {
    work();
}
