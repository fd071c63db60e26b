// SPDX-License-Identifier: Apache-2.0

//! The CloudManager kind.

use kb::k8s_openapi::apimachinery::pkg::api::resource::Quantity;

/// What a CloudManager asks for: its parts, in the order in which they are made.
#[kb::resource(
    group = "cloudmanagercontroller.huayun.com",
    version = "v1",
    kind = "CloudManager",
    status = CloudManagerStatus,
    doc = "CloudManager runs a cloud manager: its front end, its identity service and its database."
)]
#[kb(cel(
    "self.front.deployment.name != self.identity.deployment.name",
    message = "two Deployments need two names"
))]
pub struct CloudManagerSpec {
    /// The front end.
    pub front: FrontSpec,
    /// The identity service.
    pub identity: IdentitySpec,
    /// The database.
    pub db: DatabaseSpec,
}

/// The front end.
#[kb::object]
pub struct FrontSpec {
    /// Its Deployment.
    #[kb(example = {"name": "front", "image": "nginx:1.29"})]
    pub deployment: DeploymentSpec,
}

/// The identity service.
#[kb::object]
pub struct IdentitySpec {
    /// Its Deployment.
    #[kb(example = {"name": "identity", "image": "busybox:1.37"})]
    pub deployment: DeploymentSpec,
}

/// A Deployment.
#[kb::object]
pub struct DeploymentSpec {
    /// Its name. If it changes, a new Deployment takes the place of the old one.
    #[kb(pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", max_length = 63)]
    pub name: String,
    /// The image that its pods run.
    #[kb(min_length = 1)]
    pub image: String,
}

/// The database.
#[kb::object]
pub struct DatabaseSpec {
    /// Its StatefulSet.
    pub stateful_set: StatefulSetSpec,
    /// The password of its user root.
    #[kb(min_length = 1, example = "secret")]
    pub root_pass: String,
}

/// A StatefulSet.
#[kb::object]
#[kb(cel(
    "self.name != oldSelf.name || self.storage == oldSelf.storage",
    message = "the storage of a StatefulSet cannot change: give it another name as well"
))]
pub struct StatefulSetSpec {
    /// Its name. If it changes, a new StatefulSet takes the place of the old one. The volumes of the old one stay.
    // The names of pods are longer, and become labels.
    #[kb(
        pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        max_length = 52,
        example = "db"
    )]
    pub name: String,
    /// The image that its pods run.
    #[kb(min_length = 1, example = "mysql:8.4")]
    pub image: String,
    /// The volume of each pod.
    pub storage: StorageSpec,
}

/// A volume.
#[kb::object]
pub struct StorageSpec {
    /// The name of its storage class.
    #[kb(max_length = 253, example = "standard")]
    pub class: String,
    /// How nodes may mount it.
    #[kb(
        min_items = 1,
        max_items = 4,
        list_type = "set",
        items(enum = ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"]),
        example = ["ReadWriteOnce"]
    )]
    pub access_modes: Vec<String>,
    /// How large it is.
    #[kb(example = "1Gi")]
    pub size: Quantity,
}

/// What the controller saw last.
#[kb::object]
pub struct CloudManagerStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// How far it is.
    #[kb(column(name = "Status"))]
    pub phase: Option<Phase>,
}

/// How far a CloudManager is: the part that is waited for, or `ready`.
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
    /// All parts are ready.
    Ready,
}
