#[kb::rbac(groups = "core", resources = "pods/logs", verbs = "get")]
fn work() {}

fn main() {
    work();
}
