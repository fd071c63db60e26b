//! The Lease in the API server: read, made, replaced. Every request is bounded in time, and an update holds only for the version that
//! was read, so of two candidates one wins.

use std::error::Error;
use std::fmt::Write;
use std::time::Duration;

use k8s_openapi::api::coordination::v1::Lease;
use kube::api::{Api, ObjectMeta, PostParams};

use super::{Config, record::Record};

/// Why a request for the lease failed.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// Somebody else was faster.
    #[error("{request}: it was changed meanwhile")]
    Conflict {
        /// What was asked for.
        request: String,
    },
    /// The operator may not.
    #[error(
        "{request}: forbidden ({message}). Leader election needs a rule with the verbs get, create and update for leases in the group \
         coordination.k8s.io, in the namespace of the lease"
    )]
    Forbidden {
        /// What was asked for.
        request: String,
        /// What the API server says.
        message: String,
    },
    /// The API server did not answer in time.
    #[error("{request}: no answer within {after:?}")]
    NoAnswer {
        /// What was asked for.
        request: String,
        /// How long was waited.
        after: Duration,
    },
    /// Anything else.
    #[error("{request}: {cause}")]
    Failed {
        /// What was asked for.
        request: String,
        /// The error of the client, with its causes.
        cause: String,
    },
}

/// The Lease of an election.
pub(super) struct Lock {
    api: Api<Lease>,
    name: String,
    namespace: String,
    timeout: Duration,
}

impl Lock {
    pub(super) fn new(client: kube::Client, config: &Config) -> Self {
        Self {
            api: Api::namespaced(client, &config.namespace),
            name: config.lease.clone(),
            namespace: config.namespace.clone(),
            timeout: config.request_timeout(),
        }
    }

    /// Namespace and name, for messages.
    pub(super) fn path(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }

    pub(super) async fn get(&self) -> Result<Option<Lease>, RequestError> {
        self.bounded("get", self.api.get_opt(&self.name)).await
    }

    pub(super) async fn create(&self, record: Record) -> Result<Lease, RequestError> {
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

    /// Replaces the record of a lease; what else is in the lease stays, and its version must still be this one.
    pub(super) async fn update(
        &self,
        mut lease: Lease,
        record: Record,
    ) -> Result<Lease, RequestError> {
        lease.spec = Some(record.into());
        let params = PostParams::default();
        let request = self.api.replace(&self.name, &params, &lease);
        self.bounded("update", request).await
    }

    async fn bounded<T>(
        &self,
        verb: &str,
        request: impl Future<Output = kube::Result<T>>,
    ) -> Result<T, RequestError> {
        let answer = tokio::time::timeout(self.timeout, request).await;
        let request = || format!("{verb} lease {}", self.path());
        match answer {
            Ok(answer) => answer.map_err(|error| refused(request(), &error)),
            Err(_) => Err(RequestError::NoAnswer {
                request: request(),
                after: self.timeout,
            }),
        }
    }
}

fn refused(request: String, error: &kube::Error) -> RequestError {
    match error {
        // Made meanwhile (AlreadyExists) or changed meanwhile (Conflict).
        kube::Error::Api(status) if status.code == 409 => RequestError::Conflict { request },
        kube::Error::Api(status) if status.code == 403 => RequestError::Forbidden {
            request,
            message: status.message.clone(),
        },
        kube::Error::Api(status) => RequestError::Failed {
            request,
            cause: format!("{} (status {})", status.message, status.code),
        },
        error => RequestError::Failed {
            request,
            cause: with_causes(error),
        },
    }
}

/// An error of the client names the layer that failed; what happened is in its causes.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !text.ends_with(&said) {
            write!(text, ": {said}").expect("a String takes all");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use kube::core::Status;

    use super::*;

    fn status(code: u16, message: &str) -> kube::Error {
        kube::Error::Api(Status::failure(message, "").with_code(code).boxed())
    }

    fn said(error: &kube::Error) -> String {
        refused("get lease a/b".to_owned(), error).to_string()
    }

    #[test]
    fn a_forbidden_request_names_the_missing_rule() {
        let said = said(&status(403, "leases \"b\" is forbidden"));
        assert!(
            said.starts_with("get lease a/b: forbidden (leases \"b\" is forbidden)"),
            "{said}"
        );
        assert!(
            said.contains("get, create and update for leases in the group coordination.k8s.io"),
            "{said}"
        );
    }

    #[test]
    fn made_or_changed_meanwhile_is_a_conflict() {
        let error = refused("create".to_owned(), &status(409, "exists"));
        assert!(matches!(error, RequestError::Conflict { .. }), "{error:?}");
    }

    #[test]
    fn other_refusals_are_told_with_their_code_and_causes() {
        assert_eq!(
            said(&status(500, "etcd is away")),
            "get lease a/b: etcd is away (status 500)"
        );
        let io = std::io::Error::other("connection refused");
        let error = kube::Error::Service(Box::new(io));
        assert_eq!(
            said(&error),
            "get lease a/b: ServiceError: connection refused"
        );
    }
}
