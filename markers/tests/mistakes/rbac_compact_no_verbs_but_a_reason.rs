#[kb::rbac("/metrics": reason = "to read metrics")]
fn work() {}

fn main() {
    work();
}
