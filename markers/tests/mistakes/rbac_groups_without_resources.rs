#[kb::rbac(groups = "apps", urls = "/metrics", verbs = "get")]
fn work() {}

fn main() {
    work();
}
