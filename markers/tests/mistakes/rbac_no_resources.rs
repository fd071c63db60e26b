#[kb::rbac(verbs = "get")]
fn work() {}

fn main() {
    work();
}
