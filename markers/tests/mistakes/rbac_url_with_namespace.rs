#[kb::rbac(urls = "/metrics", verbs = "get", namespace = "shop")]
fn work() {}

fn main() {
    work();
}
