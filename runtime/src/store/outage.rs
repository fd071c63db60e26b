//! Logs the failure and the recovery of a watch once each.
//!
//! A failing watch is retried every few seconds. Repeating the same error would flood the log.

use kb_model::rbac::Subject;
use kube::{Error, runtime::watcher};
use tracing::{debug, info, warn};

use super::CachedResource;
use crate::controller;

/// Whether a watch is failing, and the error that was last logged.
pub(super) struct Outage {
    kind: String,
    /// API group as in RBAC rules: `core` for the unnamed group.
    group: String,
    version: String,
    plural: String,
    namespace: Option<String>,
    logged: Option<String>,
}

impl Outage {
    pub(super) fn new<K: CachedResource>(namespace: Option<String>) -> Self {
        let group = K::group(&());
        Self {
            kind: K::kind(&()).into(),
            group: if group.is_empty() {
                "core".into()
            } else {
                group.into()
            },
            version: K::version(&()).into(),
            plural: K::plural(&()).into(),
            namespace,
            logged: None,
        }
    }

    /// Logs the failure of the watch, unless the same error was logged before.
    pub(super) fn watch_failed(&mut self, error: &watcher::Error) {
        if let Some(error) = self.new_error(error) {
            let Self {
                kind, namespace, ..
            } = self;
            warn!(kind, namespace, %error, "watch failed, retrying");
        }
    }

    /// Logs the recovery of the watch.
    pub(super) fn watch_succeeded(&mut self) {
        if self.logged.take().is_some() {
            let Self {
                kind, namespace, ..
            } = self;
            info!(kind, namespace, "watch recovered");
        }
    }

    /// Returns the message of an error that was not logged yet.
    fn new_error(&mut self, error: &watcher::Error) -> Option<String> {
        if status_code(error) == Some(410) {
            // The resource version expired. The watcher relists.
            debug!(kind = self.kind, %error, "watch expired, relisting");
            return None;
        }
        let message = self.message(error);
        if self.logged.as_ref() == Some(&message) {
            return None;
        }
        self.logged = Some(message.clone());
        Some(message)
    }

    fn message(&self, error: &watcher::Error) -> String {
        let Self {
            kind,
            group,
            version,
            plural,
            ..
        } = self;
        match status_code(error) {
            Some(403) => {
                let verb = verb(error);
                let rule = Subject::resource(group, plural).attribute(&["list", "watch"]);
                format!("not allowed to {verb} `{plural}` in group `{group}`: add {rule}")
            }
            Some(404) => format!(
                "`{plural}` is not served in `{group}/{version}`: install the CRD of {kind}"
            ),
            _ => controller::chain(error),
        }
    }
}

/// Returns the verb of the request that failed.
fn verb(error: &watcher::Error) -> &'static str {
    match error {
        watcher::Error::InitialListFailed(_) => "list",
        _ => "watch",
    }
}

/// Returns the HTTP status code, if the API server responded.
pub(super) fn status_code(error: &watcher::Error) -> Option<u16> {
    use watcher::Error::{InitialListFailed, WatchError, WatchFailed, WatchStartFailed};
    match error {
        InitialListFailed(Error::Api(status))
        | WatchStartFailed(Error::Api(status))
        | WatchFailed(Error::Api(status))
        | WatchError(status) => Some(status.code),
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
    fn an_error_is_logged_once_until_the_watch_recovers() {
        let mut outage = Outage::new::<Deployment>(None);
        assert!(outage.new_error(&list_failed(500)).is_some());
        assert!(outage.new_error(&list_failed(500)).is_none());
        outage.watch_succeeded();
        assert!(outage.new_error(&list_failed(500)).is_some());
    }

    #[test]
    fn a_different_error_is_logged() {
        let mut outage = Outage::new::<Deployment>(None);
        assert!(outage.new_error(&list_failed(500)).is_some());
        assert!(outage.new_error(&list_failed(403)).is_some());
    }

    #[test]
    fn a_missing_permission_names_the_verb_and_the_rbac_rule() {
        let mut outage = Outage::new::<Deployment>(None);
        assert_eq!(
            outage.new_error(&list_failed(403)).unwrap(),
            "not allowed to list `deployments` in group `apps`: add \
             #[kb::rbac(\"apps/deployments\": list, watch)]"
        );
        let watch_failed = watcher::Error::WatchStartFailed(Error::Api(status(403)));
        assert_eq!(
            outage.new_error(&watch_failed).unwrap(),
            "not allowed to watch `deployments` in group `apps`: add \
             #[kb::rbac(\"apps/deployments\": list, watch)]"
        );
    }

    #[test]
    fn a_kind_that_is_not_served_suggests_its_crd() {
        let mut outage = Outage::new::<Deployment>(None);
        assert_eq!(
            outage.new_error(&list_failed(404)).unwrap(),
            "`deployments` is not served in `apps/v1`: install the CRD of Deployment"
        );
    }

    #[test]
    fn an_expired_resource_version_is_not_an_outage() {
        let mut outage = Outage::new::<Deployment>(None);
        let expired = watcher::Error::WatchError(status(410));
        assert!(outage.new_error(&expired).is_none());
        assert!(outage.logged.is_none());
    }
}
