// SPDX-License-Identifier: MIT

//! API types of Backup.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Run `make generate` after editing these types to update the CRD.

/// Desired state of Backup.
#[kb::resource(
    group = "fleet.example.com",
    version = "v1",
    kind = "Backup",
    status = BackupStatus,
    column(name = "Ready", type = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    doc = "Backup is the Schema for the backups API."
)]
pub struct BackupSpec {
    /// Example field of Backup. Replace it with your own.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// Observed state of Backup.
#[kb::object]
pub struct BackupStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
