#[kb::rbac("/metrics": get, namespace = "shop", resource_names = "a")]
fn work() {}

fn main() {
    work();
}
