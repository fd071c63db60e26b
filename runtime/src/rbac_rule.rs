//! A rule of the operator's role, as `#[kb::rbac(...)]` says it: constant data, for tests.

/// What `#[kb::rbac(...)]` on a type says. The constant `RULES` of that type has all of them.
///
/// ```
/// #[kb::rbac(groups = "batch.example.com", resources = "appservices/status", verbs = "patch")]
/// #[kb::rbac(groups = "apps", resources = "deployments", verbs = ["get", "list", "watch", "create", "patch"])]
/// pub struct AppServiceController;
///
/// assert_eq!(AppServiceController::RULES[0].resources, ["appservices/status"]);
/// assert!(AppServiceController::RULES.iter().all(|rule| !rule.verbs.contains(&"delete")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RbacRule {
    /// API groups; the core group is empty.
    pub groups: &'static [&'static str],
    /// Resources, and subresources as `pods/log`.
    pub resources: &'static [&'static str],
    /// The objects that are meant; all, if there is none.
    pub resource_names: &'static [&'static str],
    /// What may be done.
    pub verbs: &'static [&'static str],
    /// Paths of the API server that are no resources.
    pub urls: &'static [&'static str],
    /// The namespace that the rule is for; all, if absent.
    pub namespace: Option<&'static str>,
    /// The role that has the rule, if it is not the manager's.
    pub role_name: Option<&'static str>,
    /// Why the operator needs it.
    pub reason: Option<&'static str>,
}
