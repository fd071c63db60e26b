// SPDX-License-Identifier: Apache-2.0

//! The AppService kind.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

/// What an AppService asks for.
#[kb::resource(
    group = "batch.example.com",
    version = "v1alpha1",
    kind = "AppService",
    status = AppServiceStatus,
    doc = "AppService runs an image behind a Service.",
    // The Service has the name of its AppService, and a Service is choosy.
    cel(
        "self.metadata.name.matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$')",
        message = "the name must be one that a Service can have: at most 63 of a-z, 0-9 and -, first a letter"
    ),
    column(
        name = "Ready",
        type = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].status"
    )
)]
pub struct AppServiceSpec {
    /// The image that the pods run.
    #[kb(min_length = 1, example = "nginx:1.29", column)]
    pub image: String,
    /// How many pods there are. If absent, others decide, such as an autoscaler of the Deployment.
    #[kb(minimum = 0, example = 2)]
    pub replicas: Option<i32>,
    /// The port of the Service, on which the image listens, too.
    #[kb(minimum = 1, maximum = 65535, example = 80, column)]
    pub port: i32,
}

/// What the controller saw last.
#[kb::object]
pub struct AppServiceStatus {
    /// The generation of the spec that was reconciled last.
    pub observed_generation: Option<i64>,
    /// How many pods are available.
    #[kb(column(name = "Available"))]
    pub available_replicas: Option<i32>,
    /// The latest observations, one per type. `Ready` says whether as many pods are available as there should be.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
