// SPDX-License-Identifier: Apache-2.0

//! The Foo kind.

/// What a Foo asks for.
#[kb::resource(
    group = "samplecontroller.k8s.io",
    version = "v1alpha1",
    kind = "Foo",
    annotations("api-approved.kubernetes.io" = "unapproved, experimental-only"),
    status = FooStatus,
    doc = "Foo runs nginx in a Deployment of the name that it asks for."
)]
pub struct FooSpec {
    /// The name of the Deployment.
    #[kb(example = "example-foo")]
    pub deployment_name: String,
    /// How many pods run. If it is absent, the Deployment has one, or as many as somebody scales it to.
    #[kb(minimum = 1, maximum = 10, example = 1)]
    pub replicas: Option<i32>,
}

/// What the controller saw last.
#[kb::object]
pub struct FooStatus {
    /// How many pods of the Deployment are available.
    #[kb(column(name = "Available"))]
    pub available_replicas: i32,
}
