#[kb::rbac("core/configmaps": create, resource_names = "settings")]
fn work() {}

fn main() {
    work();
}
