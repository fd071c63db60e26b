/// Keeps what it is told to.
#[derive(Clone)]
pub struct Controller<T: Clone>
where
    T: Default,
{
    pub inner: T,
}
#[allow(single_use_lifetimes)]
impl<T: Clone> Controller<T>
where
    T: Default,
{
    /// RBAC rules of `#[kb::rbac(..)]`.
    #[allow(dead_code)]
    pub const RULES: &'static [::kb::RbacRule] = &[
        ::kb::RbacRule {
            groups: &[""],
            resources: &["pods", "pods/log"],
            resource_names: &[],
            verbs: &["get", "list"],
            urls: &[],
            namespace: ::core::option::Option::None,
            role_name: ::core::option::Option::None,
            reason: ::core::option::Option::None,
        },
        ::kb::RbacRule {
            groups: &["apps", "example.com"],
            resources: &["deployments"],
            resource_names: &["one"],
            verbs: &["patch"],
            urls: &[],
            namespace: ::core::option::Option::Some("shop"),
            role_name: ::core::option::Option::Some("deployer"),
            reason: ::core::option::Option::Some("It is told to."),
        },
    ];
}
pub(crate) enum Mode {
    One,
}
#[allow(single_use_lifetimes)]
impl Mode {
    /// RBAC rules of `#[kb::rbac(..)]`.
    #[allow(dead_code)]
    pub(crate) const RULES: &'static [::kb::RbacRule] = &[
        ::kb::RbacRule {
            groups: &[],
            resources: &[],
            resource_names: &[],
            verbs: &["get"],
            urls: &["/metrics"],
            namespace: ::core::option::Option::None,
            role_name: ::core::option::Option::None,
            reason: ::core::option::Option::None,
        },
        ::kb::RbacRule {
            groups: &[""],
            resources: &["configmaps"],
            resource_names: &["settings"],
            verbs: &["get", "use"],
            urls: &[],
            namespace: ::core::option::Option::Some("shop"),
            role_name: ::core::option::Option::None,
            reason: ::core::option::Option::Some("to read settings"),
        },
        ::kb::RbacRule {
            groups: &[],
            resources: &[],
            resource_names: &[],
            verbs: &["*"],
            urls: &["/healthz"],
            namespace: ::core::option::Option::None,
            role_name: ::core::option::Option::None,
            reason: ::core::option::Option::None,
        },
    ];
}
