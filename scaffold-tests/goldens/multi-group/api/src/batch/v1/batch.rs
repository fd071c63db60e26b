// SPDX-License-Identifier: Apache-2.0

//! The Batch kind.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Edit these types, then run `make generate` to write the CRD.

/// What a Batch asks for.
#[kb::resource(
    group = "batch.example.com",
    version = "v1",
    kind = "Batch",
    status = BatchStatus,
    doc = "Batch is the schema of the batches API."
)]
pub struct BatchSpec {
    /// An example: replace it with what a Batch needs.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// What the controller saw last.
#[kb::object]
pub struct BatchStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// The latest observations, one per type.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
