// SPDX-License-Identifier: Apache-2.0

//! API types of Release.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;
use kb::serde_json::{Map, Value};

/// Desired state of Release.
#[kb::resource(
    group = "helm.example.com",
    version = "v1",
    kind = "Release",
    status = ReleaseStatus,
    doc = "Release is the Schema for the releases API."
)]
pub struct ReleaseSpec {
    /// Chart to install.
    #[kb(example = "nginx", column)]
    pub chart: String,
    /// Values of the chart: any JSON object. The API server does not prune unknown fields.
    #[kb(
        schema_type = "object",
        preserve_unknown_fields,
        example = {"replicas": 2, "service": {"ports": [80, 443]}}
    )]
    pub values: Map<String, Value>,
}

/// Observed state of Release.
#[kb::object]
pub struct ReleaseStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
