//! Why an object was not applied.

use thiserror::Error;

/// Why an object was not applied. Each names the object.
#[derive(Debug, Error)]
pub enum ApplyError {
    /// The object exists and has another controller. Names must be chosen so that two owners never want the same one.
    #[error(
        "{object} is not applied for {owner}: {other} controls it. Give one of the two another name"
    )]
    AlreadyOwned {
        /// The object wanted.
        object: String,
        /// For whom it is wanted.
        owner: String,
        /// Who has it.
        other: String,
    },
    /// The object exists, has no controller, and was not made by this operator.
    #[error(
        "{object} is not applied for {owner}: it exists, and `{manager}` did not make it. Delete it, \
         choose another name, or hand it over by an owner reference"
    )]
    AlreadyExists {
        /// The object wanted.
        object: String,
        /// For whom it is wanted.
        owner: String,
        /// The field manager of this operator.
        manager: String,
    },
    /// An owner reference does not cross namespaces: the garbage collector would delete the object.
    #[error(
        "{object} is not applied for {owner}: a namespaced owner owns only in its own namespace. Use `apply_unowned` and a finalizer"
    )]
    CrossNamespaceOwner {
        /// The object wanted.
        object: String,
        /// For whom it is wanted.
        owner: String,
    },
    /// A namespaced object without a namespace, and no namespaced owner to take it from.
    #[error("{object} is not applied: it needs a namespace. Set `metadata.namespace`")]
    MissingNamespace {
        /// The object wanted.
        object: String,
    },
    /// An object without a name.
    #[error("a {kind} is not applied: it needs a name. Set `metadata.name`")]
    MissingName {
        /// Its kind.
        kind: String,
    },
    /// The owner has no name or no uid: it was not read from the API server.
    #[error(
        "{owner} cannot own anything: it has no uid. Take the object that reconcile was called with"
    )]
    MissingOwnerUid {
        /// The owner.
        owner: String,
    },
    /// The object cannot be written as JSON.
    #[error("{object} cannot be written as JSON: {source}")]
    Serialize {
        /// The object wanted.
        object: String,
        /// What serde says.
        source: serde_json::Error,
    },
    /// The API server refused, or did not answer. It is worth trying again later.
    #[error("{object} cannot be applied: {source}")]
    Api {
        /// The object wanted.
        object: String,
        /// What kube says.
        source: kube::Error,
    },
}

impl ApplyError {
    /// Whether the object is somebody else's: another's, or made by hand.
    pub fn is_name_conflict(&self) -> bool {
        matches!(self, Self::AlreadyOwned { .. } | Self::AlreadyExists { .. })
    }
}
