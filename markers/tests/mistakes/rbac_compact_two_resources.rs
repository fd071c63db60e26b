#[kb::rbac("core/pods": get, "core/secrets": list)]
fn work() {}

fn main() {
    work();
}
