#[kb::rbac("apps/deployments": get, reason = "to read them", list)]
fn work() {}

fn main() {
    work();
}
