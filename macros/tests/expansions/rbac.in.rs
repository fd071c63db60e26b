/// Keeps what it is told to.
#[kb::rbac(groups = "core", resources = "pods;pods/log", verbs = "get;list")]
#[derive(Clone)]
#[kb::rbac(
    groups = ["apps", "example.com"],
    resources = "deployments",
    resource_names = "one",
    verbs = "patch",
    namespace = "shop",
    role_name = "deployer",
    reason = "It is told to."
)]
pub struct Controller<T: Clone>
where
    T: Default,
{
    pub inner: T,
}

#[kb::rbac(urls = "/metrics", verbs = "get")]
#[kb::rbac("core/configmaps": get, use, resource_names = "settings", namespace = "shop", reason = "to read settings")]
#[kb::rbac("/healthz": *)]
pub(crate) enum Mode {
    One,
}
