#[kb::rbac(groups = "apps", resources = "deployments", verbs = "get", role_name = "Deployer")]
fn work() {}

fn main() {
    work();
}
