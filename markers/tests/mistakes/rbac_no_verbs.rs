#[kb::rbac(groups = "apps", resources = "deployments")]
fn work() {}

fn main() {
    work();
}
