#[kb::rbac(groups = "apps", resources = "deployments", verbs = "get;lsit")]
fn work() {}

fn main() {
    work();
}
