#[kb::rbac("apps/deployments": get, groups = "apps", resources = "deployments", verbs = "list", urls = "/metrics")]
fn work() {}

fn main() {
    work();
}
