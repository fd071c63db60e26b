#[kb::rbac("core/pods/logs": get)]
fn work() {}

fn main() {
    work();
}
