#[kb::rbac(groups = "apps", resources = "deployments", verbs = "get", reason = "one\ntwo")]
fn work() {}

fn main() {
    work();
}
