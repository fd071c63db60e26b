//! RBAC rules of `#[kb::rbac(...)]` as constants, for tests.

/// A rule of [`#[kb::rbac(...)]`](macro@crate::rbac). The constant `RULES` of the annotated type contains all of them.
///
/// ```
/// #[kb::rbac("batch.example.com/appservices/status": patch)]
/// #[kb::rbac("apps/deployments": get, list, watch, create, patch)]
/// pub struct AppServiceController;
///
/// assert_eq!(AppServiceController::RULES[0].resources, ["appservices/status"]);
/// assert!(AppServiceController::RULES.iter().all(|rule| !rule.verbs.contains(&"delete")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RbacRule {
    /// API groups; `""` for the core group.
    pub groups: &'static [&'static str],
    /// Resources, and subresources such as `pods/log`.
    pub resources: &'static [&'static str],
    /// Names of objects; all if empty.
    pub resource_names: &'static [&'static str],
    /// Allowed verbs.
    pub verbs: &'static [&'static str],
    /// Non-resource URLs.
    pub urls: &'static [&'static str],
    /// Namespace of the Role; `None` for the `ClusterRole`.
    pub namespace: Option<&'static str>,
    /// Name of the role; `None` for the manager role.
    pub role_name: Option<&'static str>,
    /// Comment in the generated role.
    pub reason: Option<&'static str>,
}
