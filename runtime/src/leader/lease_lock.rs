//! Reads, creates and updates the Lease. Every request has a timeout, and an update requires the resource version that was read, so only one
//! of two candidates succeeds.

use std::time::Duration;

use k8s_openapi::api::coordination::v1::Lease;
use kube::api::{Api, ObjectMeta, PostParams};

use super::{Config, election_record::ElectionRecord};
use crate::controller::chain;

/// Failed request for the Lease.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// Another candidate created or updated the Lease in the meantime.
    #[error("failed to {request}: modified concurrently")]
    Conflict {
        /// Verb and Lease.
        request: String,
    },
    /// Missing permission.
    #[error(
        "failed to {request}: forbidden ({message}); leader election requires the verbs get, create and update on leases \
         (coordination.k8s.io) in the namespace of the lease"
    )]
    Forbidden {
        /// Verb and Lease.
        request: String,
        /// Message of the API server.
        message: String,
    },
    /// No response in time.
    #[error("failed to {request}: timed out after {after:?}")]
    Timeout {
        /// Verb and Lease.
        request: String,
        /// The timeout.
        after: Duration,
    },
    /// Any other error.
    #[error("failed to {request}: {cause}")]
    Failed {
        /// Verb and Lease.
        request: String,
        /// Error of the client with its causes.
        cause: String,
    },
}

/// Client for the Lease of an election.
pub(super) struct LeaseLock {
    api: Api<Lease>,
    name: String,
    namespace: String,
    timeout: Duration,
}

impl LeaseLock {
    pub(super) fn new(client: kube::Client, config: &Config) -> Self {
        Self {
            api: Api::namespaced(client, &config.namespace),
            name: config.lease.clone(),
            namespace: config.namespace.clone(),
            timeout: config.request_timeout(),
        }
    }

    /// Returns namespace and name, for messages.
    pub(super) fn path(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }

    pub(super) async fn get(&self) -> Result<Option<Lease>, LeaseError> {
        self.bounded("get", self.api.get_opt(&self.name)).await
    }

    pub(super) async fn create(&self, record: ElectionRecord) -> Result<Lease, LeaseError> {
        let lease = Lease {
            metadata: ObjectMeta {
                name: Some(self.name.clone()),
                namespace: Some(self.namespace.clone()),
                ..ObjectMeta::default()
            },
            spec: Some(record.into()),
        };
        let params = PostParams::default();
        let request = self.api.create(&params, &lease);
        self.bounded("create", request).await
    }

    /// Replaces the record of `lease` and keeps its metadata. Fails with a conflict if the Lease has another resource version.
    pub(super) async fn update(
        &self,
        mut lease: Lease,
        record: ElectionRecord,
    ) -> Result<Lease, LeaseError> {
        lease.spec = Some(record.into());
        let params = PostParams::default();
        let request = self.api.replace(&self.name, &params, &lease);
        self.bounded("update", request).await
    }

    async fn bounded<T>(
        &self,
        verb: &str,
        request: impl Future<Output = kube::Result<T>>,
    ) -> Result<T, LeaseError> {
        let response = tokio::time::timeout(self.timeout, request).await;
        let request = || format!("{verb} lease {}", self.path());
        match response {
            Ok(response) => response.map_err(|error| lease_error(request(), &error)),
            Err(_) => Err(LeaseError::Timeout {
                request: request(),
                after: self.timeout,
            }),
        }
    }
}

fn lease_error(request: String, error: &kube::Error) -> LeaseError {
    match error {
        // AlreadyExists or Conflict.
        kube::Error::Api(status) if status.code == 409 => LeaseError::Conflict { request },
        kube::Error::Api(status) if status.code == 403 => LeaseError::Forbidden {
            request,
            message: status.message.clone(),
        },
        kube::Error::Api(status) => LeaseError::Failed {
            request,
            cause: format!("{} (status {})", status.message, status.code),
        },
        error => LeaseError::Failed {
            request,
            cause: chain(error),
        },
    }
}

#[cfg(test)]
mod tests {
    use kube::core::Status;

    use super::*;

    fn status(code: u16, message: &str) -> kube::Error {
        kube::Error::Api(Status::failure(message, "").with_code(code).boxed())
    }

    fn message(error: &kube::Error) -> String {
        lease_error("get lease a/b".to_owned(), error).to_string()
    }

    #[test]
    fn a_forbidden_request_names_the_missing_rule() {
        assert_eq!(
            message(&status(403, "leases \"b\" is forbidden")),
            "failed to get lease a/b: forbidden (leases \"b\" is forbidden); leader election requires the verbs get, create and update \
             on leases (coordination.k8s.io) in the namespace of the lease"
        );
    }

    #[test]
    fn status_409_is_a_conflict() {
        let error = lease_error("create".to_owned(), &status(409, "exists"));
        assert!(matches!(error, LeaseError::Conflict { .. }), "{error:?}");
    }

    #[test]
    fn other_errors_include_status_code_and_causes() {
        assert_eq!(
            message(&status(500, "etcd is down")),
            "failed to get lease a/b: etcd is down (status 500)"
        );
        let io = std::io::Error::other("connection refused");
        let error = kube::Error::Service(Box::new(io));
        assert_eq!(
            message(&error),
            "failed to get lease a/b: ServiceError: connection refused"
        );
    }
}
