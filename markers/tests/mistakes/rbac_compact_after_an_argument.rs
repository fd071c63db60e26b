#[kb::rbac(reason = "to read them", "apps/deployments": get, list)]
fn work() {}

fn main() {
    work();
}
