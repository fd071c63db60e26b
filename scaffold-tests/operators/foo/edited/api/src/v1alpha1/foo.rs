// SPDX-License-Identifier: Apache-2.0

//! API types of Foo.

/// Desired state of Foo.
#[kb::resource(
    group = "samplecontroller.k8s.io",
    version = "v1alpha1",
    kind = "Foo",
    annotations("api-approved.kubernetes.io" = "unapproved, experimental-only"),
    status = FooStatus,
    doc = "Foo runs nginx in a Deployment."
)]
pub struct FooSpec {
    /// Name of the Deployment.
    #[kb(example = "example-foo")]
    pub deployment_name: String,
    /// Number of pods. If unset, the Deployment starts with one and may be scaled by others.
    #[kb(minimum = 1, maximum = 10, example = 1)]
    pub replicas: Option<i32>,
}

/// Observed state of Foo.
#[kb::object]
pub struct FooStatus {
    /// Number of available pods of the Deployment.
    #[kb(column(name = "Available"))]
    pub available_replicas: i32,
}
