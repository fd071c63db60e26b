#[kb::rbac(groups = "apps", resources = "deployment", verbs = "get")]
fn work() {}

fn main() {
    work();
}
