// SPDX-License-Identifier: Apache-2.0

//! API types of CloudManager.

use kb::k8s_openapi::apimachinery::pkg::api::resource::Quantity;

/// Desired state of CloudManager: its components, in the order of their creation.
#[kb::resource(
    group = "cloudmanagercontroller.huayun.com",
    version = "v1",
    kind = "CloudManager",
    status = CloudManagerStatus,
    doc = "CloudManager runs a front end, an identity service and a database."
)]
#[kb(cel(
    "self.front.deployment.name != self.identity.deployment.name",
    message = "the names of the Deployments must differ"
))]
pub struct CloudManagerSpec {
    /// Front end.
    pub front: FrontSpec,
    /// Identity service.
    pub identity: IdentitySpec,
    /// Database.
    pub db: DatabaseSpec,
}

/// Front end.
#[kb::object]
pub struct FrontSpec {
    /// Deployment of the component.
    #[kb(example = {"name": "front", "image": "nginx:1.29"})]
    pub deployment: DeploymentSpec,
}

/// Identity service.
#[kb::object]
pub struct IdentitySpec {
    /// Deployment of the component.
    #[kb(example = {"name": "identity", "image": "busybox:1.37"})]
    pub deployment: DeploymentSpec,
}

/// Deployment settings.
#[kb::object]
pub struct DeploymentSpec {
    /// Name of the Deployment. Changing it replaces the Deployment.
    #[kb(pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", max_length = 63)]
    pub name: String,
    /// Container image.
    #[kb(min_length = 1)]
    pub image: String,
}

/// Database.
#[kb::object]
pub struct DatabaseSpec {
    /// StatefulSet of the database.
    pub stateful_set: StatefulSetSpec,
    /// Password of the root user.
    #[kb(min_length = 1, example = "secret")]
    pub root_pass: String,
}

/// StatefulSet settings.
#[kb::object]
#[kb(cel(
    "self.name != oldSelf.name || self.storage == oldSelf.storage",
    message = "storage is immutable unless the name changes as well"
))]
pub struct StatefulSetSpec {
    /// Name of the StatefulSet. Changing it replaces the StatefulSet, but keeps the old volumes.
    // Shorter than a label: the controller appends a hash for the label controller-revision-hash.
    #[kb(
        pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        max_length = 52,
        example = "db"
    )]
    pub name: String,
    /// Container image.
    #[kb(min_length = 1, example = "mysql:8.4")]
    pub image: String,
    /// Volume of each pod.
    pub storage: StorageSpec,
}

/// Volume settings.
#[kb::object]
pub struct StorageSpec {
    /// Name of the storage class.
    #[kb(max_length = 253, example = "standard")]
    pub class: String,
    /// Access modes.
    #[kb(
        min_items = 1,
        max_items = 4,
        list_type = "set",
        items(enum = ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"]),
        example = ["ReadWriteOnce"]
    )]
    pub access_modes: Vec<String>,
    /// Size.
    #[kb(example = "1Gi")]
    pub size: Quantity,
}

/// Observed state of CloudManager.
#[kb::object]
pub struct CloudManagerStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Current phase.
    #[kb(column(name = "Status"))]
    pub phase: Option<Phase>,
}

/// Phase of a CloudManager: the component that is not ready yet, or `ready`.
#[kb::object]
#[derive(Copy, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The front end is not ready yet.
    Front,
    /// The identity service is not ready yet.
    Identity,
    /// The database is not ready yet.
    Database,
    /// All components are ready.
    Ready,
}
