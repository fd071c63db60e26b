#[kb::rbac("apps/deployments": "get;list", "watch")]
fn work() {}

fn main() {
    work();
}
