#[kb::rbac()]
fn work() {}

fn main() {
    work();
}
