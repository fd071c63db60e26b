//! `#[kb::rbac(...)]` applies to all kinds of items without changing them.
#![deny(warnings, missing_docs, unreachable_pub)]

use kb::{RbacRule, rbac};

/// Rules on every supported kind of item.
mod everywhere {
    use super::rbac;

    #[kb::rbac(groups = "core", resources = "pods", verbs = "get")]
    #[rbac("core/services": get)]
    #[::kb::rbac(groups = "core", resources = "configmaps", verbs = ["get", "list"], reason = "Reads configuration.")]
    #[cfg_attr(all(), kb::rbac("core/secrets": get, list, resource_names = "key", namespace = "shop", role_name = "reader"))]
    #[cfg_attr(any(), kb::rbac(groups = "core", resources = "nodes", verbs = "get"))]
    #[kb::rbac("rbac.authorization.k8s.io/clusterroles": use, *)]
    #[derive(Debug)]
    pub(crate) struct Controller<'a, T: ?Sized, const N: usize = 1>(pub(crate) &'a T)
    where
        &'a T: Default;

    #[rbac(urls = "/metrics", verbs = "get")]
    #[rbac("/healthz": get, head)]
    pub(super) enum Unused {}

    #[rbac(groups = "apps", resources = "deployments", verbs = "get")]
    impl<'a, T: ?Sized, const N: usize> Controller<'a, T, N>
    where
        &'a T: Default,
    {
        #[rbac("apps/deployments": patch)]
        pub(crate) fn count(&self) -> usize {
            #[rbac(groups = "apps", resources = "statefulsets", verbs = "patch")]
            fn inner<const N: usize>() -> usize {
                N
            }
            let _: &T = self.0;
            inner::<N>()
        }
    }

    #[rbac("batch/jobs": get)]
    #[rbac("batch/jobs/status": get, reason = "Waits for completion.")]
    pub(crate) const fn function() -> u8 {
        1
    }

    #[rbac(groups = "batch", resources = "cronjobs", verbs = "get")]
    pub(crate) mod module {
        pub(crate) trait Trait {
            #[kb::rbac("batch/cronjobs": list)]
            fn default(&self) -> u8 {
                2
            }
        }

        impl Trait for () {}
    }
}

#[test]
fn items_are_unchanged() {
    let controller = everywhere::Controller::<'_, str, 3>("inner");
    assert_eq!(controller.count(), 3);
    assert_eq!(controller.0, "inner");
    assert_eq!(everywhere::function(), 1);
    assert_eq!(everywhere::module::Trait::default(&()), 2);
}

#[test]
fn the_rules_of_a_type_are_a_constant() {
    const RULES: &[RbacRule] = everywhere::Controller::<'static, str>::RULES;
    let resources: Vec<_> = RULES.iter().map(|rule| rule.resources).collect();
    assert_eq!(
        resources,
        [
            ["pods"],
            ["services"],
            ["configmaps"],
            ["secrets"],
            ["clusterroles"]
        ]
    );
    assert_eq!(
        RULES[2],
        RbacRule {
            groups: &[""],
            resources: &["configmaps"],
            resource_names: &[],
            verbs: &["get", "list"],
            urls: &[],
            namespace: None,
            role_name: None,
            reason: Some("Reads configuration."),
        }
    );
    assert_eq!(
        RULES[3],
        RbacRule {
            groups: &[""],
            resources: &["secrets"],
            resource_names: &["key"],
            verbs: &["get", "list"],
            urls: &[],
            namespace: Some("shop"),
            role_name: Some("reader"),
            reason: None,
        }
    );
    assert_eq!(RULES[4].verbs, ["use", "*"]);
    assert_eq!(everywhere::Unused::RULES[0].urls, ["/metrics"]);
    assert_eq!(everywhere::Unused::RULES[1].urls, ["/healthz"]);
}

/// Rules above and below the attributes of an API.
mod of_an_api {
    /// A kind.
    #[kb::rbac(groups = "core", resources = "pods", verbs = "get")]
    #[kb::resource(group = "example.com", version = "v1", kind = "App")]
    #[kb::rbac("core/services": get)]
    pub(crate) struct AppSpec {
        /// How many.
        pub(crate) count: i32,
    }

    /// Another.
    #[kb::object]
    #[kb::rbac("core/pods": get)]
    pub(crate) struct Part {
        /// How many.
        pub(crate) count: i32,
    }
}

#[test]
fn rules_combine_with_the_attributes_of_an_api() {
    assert_eq!(of_an_api::AppSpec::RULES.len(), 2);
    assert_eq!(of_an_api::Part::RULES.len(), 1);
    assert_eq!(
        of_an_api::App::new("a", of_an_api::AppSpec { count: 1 })
            .spec
            .count,
        1
    );
    assert_eq!(of_an_api::Part { count: 1 }.count, 1);
}
