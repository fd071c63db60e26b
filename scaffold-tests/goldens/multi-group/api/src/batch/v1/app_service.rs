// SPDX-License-Identifier: Apache-2.0

//! The AppService kind.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Edit these types, then run `make generate` to write the CRD.

/// What an AppService asks for.
#[kb::resource(
    group = "batch.example.com",
    version = "v1",
    kind = "AppService",
    storage = false,
    status = AppServiceStatus,
    doc = "AppService is the schema of the appservices API."
)]
pub struct AppServiceSpec {
    /// An example: replace it with what an AppService needs.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// What the controller saw last.
#[kb::object]
pub struct AppServiceStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// The latest observations, one per type.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
