#[kb::rbac("/metrics": list)]
fn work() {}

fn main() {
    work();
}
