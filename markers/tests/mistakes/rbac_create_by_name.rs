#[kb::rbac(groups = "core", resources = "configmaps", resource_names = "settings", verbs = "create")]
fn work() {}

fn main() {
    work();
}
