#[kb::rbac(groups = "apps", resources = "deployments", verbs = "get")]
const LIMIT: u8 = 1;

fn main() {
    let _ = LIMIT;
}
