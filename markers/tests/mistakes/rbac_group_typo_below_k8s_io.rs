#[kb::rbac(groups = "netwroking.k8s.io", resources = "ingresses", verbs = "get")]
fn work() {}

fn main() {
    work();
}
