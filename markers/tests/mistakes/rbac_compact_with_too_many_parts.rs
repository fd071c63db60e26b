#[kb::rbac("core/pods/exec/shell": get)]
fn work() {}

fn main() {
    work();
}
