#[kb::rbac(groups = "apps", resources = "deployments", urls = "/metrics", verbs = "get")]
fn work() {}

fn main() {
    work();
}
