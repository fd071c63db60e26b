//! Says once why a watch fails, and once that it works again.
//!
//! A watch is tried again every few seconds. What is wrong does not change meanwhile, so it is said again only when it does.

use std::borrow::Cow;

use kube::{Error, runtime::watcher};
use tracing::{debug, info, warn};

use super::CachedResource;
use crate::controller;

/// The state of one watch, as its log tells it.
pub(super) struct Outage {
    resource: Resource,
    namespace: Option<String>,
    /// What was said last, while the watch fails.
    said: Option<String>,
}

/// What is watched.
struct Resource {
    kind: Cow<'static, str>,
    /// Kubernetes' own first group has no name, and is called core in rules.
    group: Cow<'static, str>,
    version: Cow<'static, str>,
    plural: Cow<'static, str>,
}

impl Outage {
    /// A watch of a kind that did not fail yet.
    pub(super) fn of<K: CachedResource>(namespace: Option<String>) -> Self {
        Self {
            resource: Resource {
                kind: K::kind(&()),
                group: match K::group(&()) {
                    core if core.is_empty() => "core".into(),
                    group => group,
                },
                version: K::version(&()),
                plural: K::plural(&()),
            },
            namespace,
            said: None,
        }
    }

    /// The watch failed, and is tried again.
    pub(super) fn failed(&mut self, error: &watcher::Error) {
        if let Some(cause) = self.news(error) {
            let Self {
                resource,
                namespace,
                ..
            } = self;
            warn!(kind = %resource.kind, namespace, error = %cause, "the watch fails, and is tried again");
        }
    }

    /// The watch works.
    pub(super) fn ended(&mut self) {
        if self.said.take().is_some() {
            let Self {
                resource,
                namespace,
                ..
            } = self;
            info!(kind = %resource.kind, namespace, "the watch works again");
        }
    }

    /// The cause, if it was not said already.
    fn news(&mut self, error: &watcher::Error) -> Option<String> {
        if code(error) == Some(410) {
            // The server no longer knows where the watch was, so all is listed again. That is how it works, and no outage.
            debug!(kind = %self.resource.kind, %error, "the watch begins anew");
            return None;
        }
        let cause = self.resource.cause(error);
        if self.said.as_ref() == Some(&cause) {
            return None;
        }
        self.said = Some(cause.clone());
        Some(cause)
    }
}

impl Resource {
    fn cause(&self, error: &watcher::Error) -> String {
        let Self {
            kind,
            group,
            version,
            plural,
        } = self;
        match code(error) {
            Some(403) => format!(
                "the role does not allow to {verb} `{plural}` in the group `{group}`: it needs the rule \
                 #[kb::rbac(groups = \"{group}\", resources = \"{plural}\", verbs = \"list;watch\")]",
                verb = verb(error),
            ),
            Some(404) => format!(
                "the server does not know `{plural}` in `{group}/{version}`: install the CRD of {kind}"
            ),
            _ => controller::chain(error),
        }
    }
}

/// What was asked for.
fn verb(error: &watcher::Error) -> &'static str {
    match error {
        watcher::Error::InitialListFailed(_) => "list",
        _ => "watch",
    }
}

/// The HTTP status, if the server answered.
pub(super) fn code(error: &watcher::Error) -> Option<u16> {
    use watcher::Error as Of;
    match error {
        Of::InitialListFailed(Error::Api(status))
        | Of::WatchStartFailed(Error::Api(status))
        | Of::WatchFailed(Error::Api(status))
        | Of::WatchError(status) => Some(status.code),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::apps::v1::Deployment;
    use kube::core::Status;

    use super::*;

    fn status(code: u16) -> Box<Status> {
        let status = Status::failure("no", "Reason").with_code(code);
        Box::new(status)
    }

    fn list_failed(code: u16) -> watcher::Error {
        watcher::Error::InitialListFailed(Error::Api(status(code)))
    }

    #[test]
    fn a_cause_is_said_once_until_the_watch_works_again() {
        let mut outage = Outage::of::<Deployment>(None);
        assert!(outage.news(&list_failed(500)).is_some());
        assert!(outage.news(&list_failed(500)).is_none());
        outage.ended();
        assert!(outage.news(&list_failed(500)).is_some());
    }

    #[test]
    fn another_cause_is_news() {
        let mut outage = Outage::of::<Deployment>(None);
        assert!(outage.news(&list_failed(500)).is_some());
        assert!(outage.news(&list_failed(403)).is_some());
    }

    #[test]
    fn a_missing_permission_names_the_rule_and_the_verb() {
        let mut outage = Outage::of::<Deployment>(None);
        assert_eq!(
            outage.news(&list_failed(403)).unwrap(),
            "the role does not allow to list `deployments` in the group `apps`: it needs the rule \
             #[kb::rbac(groups = \"apps\", resources = \"deployments\", verbs = \"list;watch\")]"
        );
        let watch_failed = watcher::Error::WatchStartFailed(Error::Api(status(403)));
        assert!(
            outage
                .news(&watch_failed)
                .unwrap()
                .contains("to watch `deployments`")
        );
    }

    #[test]
    fn a_kind_that_the_server_does_not_know_asks_for_its_crd() {
        let mut outage = Outage::of::<Deployment>(None);
        assert_eq!(
            outage.news(&list_failed(404)).unwrap(),
            "the server does not know `deployments` in `apps/v1`: install the CRD of Deployment"
        );
    }

    #[test]
    fn a_watch_that_is_too_old_is_no_outage() {
        let mut outage = Outage::of::<Deployment>(None);
        assert!(
            outage
                .news(&watcher::Error::WatchError(status(410)))
                .is_none()
        );
        assert!(outage.said.is_none());
    }
}
