//! `column`: printer column of `kubectl get`. JSON path and type follow from the field.

use kb::k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;

/// Desired state.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "ColumnCase",
    status = ColumnCaseStatus,
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp")
)]
pub struct ColumnCaseSpec {
    /// Integer value.
    #[kb(column)]
    pub replicas: i32,
    /// Named column in the wide output.
    #[kb(column(name = "Image", description = "What runs", priority = 1))]
    pub image: String,
    /// Column of a nested field.
    pub owner: Owner,
}

/// Observed state.
#[kb::object]
pub struct ColumnCaseStatus {
    /// Timestamp.
    #[kb(column(name = "Since"))]
    pub ready_since: Option<Time>,
    /// Enum.
    #[kb(column)]
    pub phase: Option<ColumnPhase>,
    /// Boolean.
    #[kb(column)]
    pub ready: Option<bool>,
}

/// Contact.
#[kb::object]
pub struct Owner {
    /// String value.
    #[kb(column(name = "Team"))]
    pub team: String,
}

/// Phase.
#[kb::object]
pub enum ColumnPhase {
    Running,
    Done,
}
