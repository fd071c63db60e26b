#[kb::rbac(groups = "core", resources = "configmaps", resource_names = "*", verbs = "get")]
fn work() {}

fn main() {
    work();
}
