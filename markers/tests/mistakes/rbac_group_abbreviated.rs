#[kb::rbac(groups = "networking", resources = "ingresses", verbs = "get")]
fn work() {}

fn main() {
    work();
}
