#[kb::rbac(batch.example.com/appservices: get)]
fn work() {}

fn main() {
    work();
}
