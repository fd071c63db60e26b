// SPDX-License-Identifier: Apache-2.0

//! The Platform kind.

use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// Edit these types, then run `make generate` to write the CRD.

/// What a Platform asks for.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "batch.example.com",
    version = "v1alpha1",
    kind = "Platform",
    plural = "platforms",
    status = "PlatformStatus",
    doc = "Platform is the schema of the platforms API.",
    derive = "Default",
    derive = "PartialEq"
)]
#[serde(rename_all = "camelCase")]
pub struct PlatformSpec {
    /// An example: replace it with what a Platform needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foo: Option<String>,
}

/// What the controller saw last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, KubeSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlatformStatus {
    /// The generation of the spec that was reconciled last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The latest observations, one per type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<meta::v1::Condition>,
}
