// SPDX-License-Identifier: Apache-2.0

//! API types of AppService.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

/// Desired state of AppService.
#[kb::resource(
    group = "batch.example.com",
    version = "v1alpha1",
    kind = "AppService",
    status = AppServiceStatus,
    doc = "AppService runs an image behind a Service.",
    // The Service has the name of its AppService, which therefore must be a DNS-1035 label.
    cel(
        "self.metadata.name.matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$')",
        message = "metadata.name must be a DNS-1035 label: at most 63 characters from a-z, 0-9 and -, starting with a letter"
    ),
    column(
        name = "Ready",
        type = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].status"
    )
)]
pub struct AppServiceSpec {
    /// Container image.
    #[kb(min_length = 1, example = "nginx:1.29", column)]
    pub image: String,
    /// Number of pods. If unset, the replicas of the Deployment are left to others, such as an autoscaler.
    #[kb(minimum = 0, example = 2)]
    pub replicas: Option<i32>,
    /// Port of the Service and of the container.
    #[kb(minimum = 1, maximum = 65535, example = 80, column)]
    pub port: i32,
}

/// Observed state of AppService.
#[kb::object]
pub struct AppServiceStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Number of available pods.
    #[kb(column(name = "Available"))]
    pub available_replicas: Option<i32>,
    /// Latest available observations of the object's state. `Ready` is true when all desired pods are available.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
