// SPDX-License-Identifier: Apache-2.0

//! The App kind.

/// What an App asks for.
#[kb::resource(
    group = "myapp.k8s.io",
    version = "v1",
    kind = "App",
    annotations("api-approved.kubernetes.io" = "unapproved, experimental-only"),
    status = AppStatus,
    doc = "App runs an image in a Deployment, and a Service leads to it."
)]
pub struct AppSpec {
    /// The Deployment that runs the image.
    pub deployment: AppDeployment,
    /// The Service that leads to it, from port 80 to port 80.
    pub service: AppService,
}

/// The Deployment of an App.
#[kb::object]
pub struct AppDeployment {
    /// The name of the Deployment.
    #[kb(min_length = 1, example = "example-app")]
    pub name: String,
    /// The image that its pods run. It is to listen on port 80.
    #[kb(min_length = 1, example = "nginx:latest")]
    pub image: String,
    /// How many pods run.
    #[kb(minimum = 0, example = 2)]
    pub replicas: i32,
}

/// The Service of an App.
#[kb::object]
pub struct AppService {
    /// The name of the Service.
    #[kb(min_length = 1, max_length = 63, example = "example-app")]
    pub name: String,
}

/// What the controller saw last.
#[kb::object]
pub struct AppStatus {
    /// How many pods of the Deployment are available.
    #[kb(column(name = "Available"))]
    pub available_replicas: i32,
}
