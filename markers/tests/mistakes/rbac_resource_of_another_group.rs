#[kb::rbac(groups = "apps", resources = "services", verbs = "get")]
fn work() {}

fn main() {
    work();
}
