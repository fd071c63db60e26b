#[kb::rbac(urls = "/metrics", verbs = "list")]
fn work() {}

fn main() {
    work();
}
