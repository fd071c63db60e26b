// SPDX-License-Identifier: Apache-2.0

//! The AKindWhoseNameIsSoLongThatLinesHaveToBeBroken kind.

use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// Edit these types, then run `make generate` to write the CRD.

/// What an AKindWhoseNameIsSoLongThatLinesHaveToBeBroken asks for.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "odd.k8s.io",
    version = "v1",
    kind = "AKindWhoseNameIsSoLongThatLinesHaveToBeBroken",
    plural = "akindwhosenameissolongthatlineshavetobebrokens",
    status = "AKindWhoseNameIsSoLongThatLinesHaveToBeBrokenStatus",
    doc = "AKindWhoseNameIsSoLongThatLinesHaveToBeBroken is the schema of the akindwhosenameissolongthatlineshavetobebrokens API.",
    derive = "Default",
    derive = "PartialEq",
    namespaced,
    annotation("api-approved.kubernetes.io", "unapproved, experimental-only")
)]
#[serde(rename_all = "camelCase")]
pub struct AKindWhoseNameIsSoLongThatLinesHaveToBeBrokenSpec {
    /// An example: replace it with what an AKindWhoseNameIsSoLongThatLinesHaveToBeBroken needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foo: Option<String>,
}

/// What the controller saw last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, KubeSchema)]
#[serde(rename_all = "camelCase")]
pub struct AKindWhoseNameIsSoLongThatLinesHaveToBeBrokenStatus {
    /// The generation of the spec that was reconciled last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The latest observations, one per type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<meta::v1::Condition>,
}
