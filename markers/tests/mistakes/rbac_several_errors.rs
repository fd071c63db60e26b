#[kb::rbac(
    groups = ["app", "batch/v1"],
    resources = "deployments",
    verbs = ["get", "lsit"],
    namespace = "Shop"
)]
#[kb::rbac(groups = "apps", resources = "deployment", verbs = "get")]
struct Controller;

fn main() {
    let _ = (Controller, Controller::RULES);
}
