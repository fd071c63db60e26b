#[kb::rbac(groups = "example.com", resources = "AppService/status", verbs = "get")]
fn work() {}

fn main() {
    work();
}
