// SPDX-License-Identifier: Apache-2.0

//! API types of Account.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Run `make generate` after editing these types to update the CRD.

/// Desired state of Account.
#[kb::resource(
    group = "bank.example.com",
    version = "v1",
    kind = "Account",
    status = AccountStatus,
    column(name = "Ready", type = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    doc = "Account is the Schema for the accounts API."
)]
pub struct AccountSpec {
    /// Example field of Account. Replace it with your own.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// Observed state of Account.
#[kb::object]
pub struct AccountStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
