//! `column`: a column of `kubectl get`. Path and type follow from the field.

use kb::k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;

/// What is asked for.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "ColumnCase",
    status = ColumnCaseStatus,
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp")
)]
pub struct ColumnCaseSpec {
    /// A number.
    #[kb(column)]
    pub replicas: i32,
    /// With a name, for the wide view.
    #[kb(column(name = "Image", description = "What runs", priority = 1))]
    pub image: String,
    /// In an object.
    pub owner: Owner,
}

/// What was seen.
#[kb::object]
pub struct ColumnCaseStatus {
    /// A moment.
    #[kb(column(name = "Since"))]
    pub ready_since: Option<Time>,
    /// An enum.
    #[kb(column)]
    pub phase: Option<ColumnPhase>,
    /// A truth.
    #[kb(column)]
    pub ready: Option<bool>,
}

/// Who.
#[kb::object]
pub struct Owner {
    /// A text.
    #[kb(column(name = "Team"))]
    pub team: String,
}

/// Where it stands.
#[kb::object]
pub enum ColumnPhase {
    Running,
    Done,
}
