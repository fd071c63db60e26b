#[kb::rbac(urls = "/apis/*/status", verbs = "get")]
fn work() {}

fn main() {
    work();
}
