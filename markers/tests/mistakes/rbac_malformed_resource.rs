#[kb::rbac(groups = "example.com", resources = "app_services", verbs = "get")]
fn work() {}

fn main() {
    work();
}
