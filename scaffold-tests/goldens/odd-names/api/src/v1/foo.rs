// SPDX-License-Identifier: Apache-2.0

//! API types of Foo.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Run `make generate` after editing these types to update the CRD.

/// Desired state of Foo.
#[kb::resource(
    group = "odd.k8s.io",
    version = "v1",
    kind = "Foo",
    annotations("api-approved.kubernetes.io" = "unapproved, experimental-only"),
    status = FooStatus,
    column(name = "Ready", type = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    doc = "Foo is the Schema for the foos API."
)]
pub struct FooSpec {
    /// Example field of Foo. Replace it with your own.
    #[kb(example = "bar")]
    pub foo: Option<String>,
}

/// Observed state of Foo.
#[kb::object]
pub struct FooStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
