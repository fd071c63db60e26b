// SPDX-License-Identifier: Apache-2.0

//! The Release kind.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;
use kb::serde_json::{Map, Value};

/// What a Release asks for.
#[kb::resource(
    group = "helm.example.com",
    version = "v1",
    kind = "Release",
    status = ReleaseStatus,
    doc = "Release is the schema of the releases API."
)]
pub struct ReleaseSpec {
    /// The chart to install.
    #[kb(example = "nginx", column)]
    pub chart: String,
    /// What the chart is given: any JSON object. What is in it is the chart's business, so the API server keeps all of it.
    #[kb(
        schema_type = "object",
        preserve_unknown_fields,
        example = {"replicas": 2, "service": {"ports": [80, 443]}}
    )]
    pub values: Map<String, Value>,
}

/// What the controller saw last.
#[kb::object]
pub struct ReleaseStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// The latest observations, one per type.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
