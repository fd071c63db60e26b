#[kb::rbac(groups = "core", resources = "configmaps", resource_names = "settings", verbs = "deletecollection")]
fn work() {}

fn main() {
    work();
}
