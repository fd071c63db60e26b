#[kb::rbac("apps/deployments": get, resaon = "to read them")]
fn work() {}

fn main() {
    work();
}
