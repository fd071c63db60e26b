#[kb::rbac(groups = "core/v1", resources = "pods", verbs = "get")]
fn work() {}

fn main() {
    work();
}
