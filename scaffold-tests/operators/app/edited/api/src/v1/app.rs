// SPDX-License-Identifier: Apache-2.0

//! API types of App.

/// Desired state of App.
#[kb::resource(
    group = "myapp.k8s.io",
    version = "v1",
    kind = "App",
    annotations("api-approved.kubernetes.io" = "unapproved, experimental-only"),
    status = AppStatus,
    doc = "App runs an image in a Deployment behind a Service."
)]
pub struct AppSpec {
    /// Deployment that runs the image.
    pub deployment: AppDeployment,
    /// Service that exposes the Deployment on port 80.
    pub service: AppService,
}

/// Deployment of an App.
#[kb::object]
pub struct AppDeployment {
    /// Name of the Deployment.
    #[kb(min_length = 1, example = "example-app")]
    pub name: String,
    /// Container image. Must listen on port 80.
    #[kb(min_length = 1, example = "nginx:latest")]
    pub image: String,
    /// Number of pods.
    #[kb(minimum = 0, example = 2)]
    pub replicas: i32,
}

/// Service of an App.
#[kb::object]
pub struct AppService {
    /// Name of the Service.
    #[kb(min_length = 1, max_length = 63, example = "example-app")]
    pub name: String,
}

/// Observed state of App.
#[kb::object]
pub struct AppStatus {
    /// Number of available pods of the Deployment.
    #[kb(column(name = "Available"))]
    pub available_replicas: i32,
}
