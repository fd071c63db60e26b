#[kb::rbac("pods": "get", lsit; watch; watch, groups = "core", namespace = "Shop")]
#[kb::rbac("apps/deployment": get)]
struct Controller;

fn main() {
    let _ = (Controller, Controller::RULES);
}
