#[kb::rbac(groups = "v1", resources = "pods", verbs = "get")]
fn work() {}

fn main() {
    work();
}
