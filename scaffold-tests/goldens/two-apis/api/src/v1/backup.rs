// SPDX-License-Identifier: MIT

//! The Backup kind.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Edit these types, then run `make generate` to write the CRD.

/// What a Backup asks for.
#[kb::resource(
    group = "fleet.example.com",
    version = "v1",
    kind = "Backup",
    status = BackupStatus,
    doc = "Backup is the schema of the backups API."
)]
pub struct BackupSpec {
    /// An example: replace it with what a Backup needs.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// What the controller saw last.
#[kb::object]
pub struct BackupStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// The latest observations, one per type.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
