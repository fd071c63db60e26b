#[kb::rbac(groups = "apps", resources = "gizmos", verbs = "get")]
fn work() {}

fn main() {
    work();
}
