#[kb::rbac(urls = "metrics", verbs = "get")]
fn work() {}

fn main() {
    work();
}
