//! Errors of apply.

use thiserror::Error;

/// Error of [`Objects::apply`](super::Objects::apply).
#[derive(Debug, Error)]
pub enum ApplyError {
    /// The object exists and has another controller. Choose names so that two owners never use the same one.
    #[error("failed to apply {object} for {owner}: it is controlled by {other}; use another name")]
    AlreadyOwned {
        /// The desired object.
        object: String,
        /// The owner of the desired object.
        owner: String,
        /// The controller of the existing object.
        other: String,
    },
    /// The object exists, has no controller, and was not created by this operator.
    #[error(
        "failed to apply {object} for {owner}: it already exists and was not created by field manager `{manager}`; \
         delete it, use another name, or add an owner reference to adopt it"
    )]
    AlreadyExists {
        /// The desired object.
        object: String,
        /// The owner of the desired object.
        owner: String,
        /// The field manager of this operator.
        manager: String,
    },
    /// The owner is namespaced and the object is in another namespace or cluster-scoped. Kubernetes does not allow cross-namespace owner
    /// references: the garbage collector would delete the object.
    #[error(
        "failed to apply {object} for {owner}: cross-namespace owner references are disallowed; use `apply_unowned` and a finalizer"
    )]
    CrossNamespaceOwner {
        /// The desired object.
        object: String,
        /// The owner of the desired object.
        owner: String,
    },
    /// The object is namespaced and has no namespace, and there is no namespaced owner to default to.
    #[error("failed to apply {object}: `metadata.namespace` is not set")]
    MissingNamespace {
        /// The desired object.
        object: String,
    },
    /// The object has no name.
    #[error("failed to apply {kind}: `metadata.name` is not set")]
    MissingName {
        /// The kind of the object.
        kind: String,
    },
    /// The owner has no name or no UID, because it was not read from the API server.
    #[error("{owner} cannot be an owner: it has no UID; use the object passed to `reconcile`")]
    MissingOwnerUid {
        /// The owner.
        owner: String,
    },
    /// The object cannot be serialized.
    #[error("failed to serialize {object}: {source}")]
    Serialize {
        /// The desired object.
        object: String,
        /// The error of `serde_json`.
        source: serde_json::Error,
    },
    /// The request failed.
    #[error("failed to apply {object}: {source}")]
    Api {
        /// The desired object.
        object: String,
        /// The error of kube.
        source: kube::Error,
    },
}

impl ApplyError {
    /// Returns whether the name is taken by an object that this owner does not control: [`AlreadyOwned`](Self::AlreadyOwned) or
    /// [`AlreadyExists`](Self::AlreadyExists).
    ///
    /// Retrying does not help, so report it in a condition.
    pub fn is_name_conflict(&self) -> bool {
        matches!(self, Self::AlreadyOwned { .. } | Self::AlreadyExists { .. })
    }
}
