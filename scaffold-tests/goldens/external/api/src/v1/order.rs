// SPDX-License-Identifier: Apache-2.0

//! The Order kind.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Edit these types, then run `make generate` to write the CRD.

/// What an Order asks for.
#[kb::resource(
    group = "batch.example.com",
    version = "v1",
    kind = "Order",
    status = OrderStatus,
    doc = "Order is the schema of the orders API."
)]
pub struct OrderSpec {
    /// An example: replace it with what an Order needs.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// What the controller saw last.
#[kb::object]
pub struct OrderStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// The latest observations, one per type.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
