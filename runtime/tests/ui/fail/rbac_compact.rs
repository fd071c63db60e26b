#[kb::rbac("pods": get, lsit; watch)]
#[kb::rbac("apps/deployment": get, namespace = "Shop")]
struct Controller;

fn main() {
    let _ = (Controller, Controller::RULES);
}
