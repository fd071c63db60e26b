// SPDX-License-Identifier: Apache-2.0

//! The Platform kind.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Edit these types, then run `make generate` to write the CRD.

/// What a Platform asks for.
#[kb::resource(
    group = "batch.example.com",
    version = "v1alpha1",
    kind = "Platform",
    scope = Cluster,
    status = PlatformStatus,
    doc = "Platform is the schema of the platforms API."
)]
pub struct PlatformSpec {
    /// An example: replace it with what a Platform needs.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// What the controller saw last.
#[kb::object]
pub struct PlatformStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// The latest observations, one per type.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
