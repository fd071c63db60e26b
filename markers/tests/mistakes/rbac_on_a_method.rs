struct Controller;

impl Controller {
    #[kb::rbac(groups = "apps", resources = "deployment", verbs = "get")]
    fn work(&self) {}
}

fn main() {
    Controller.work();
}
