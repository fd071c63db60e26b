// SPDX-License-Identifier: Apache-2.0

//! API types of Memcached.

use kb::k8s_openapi::apimachinery::pkg::apis::meta;

// Run `make generate` after editing these types to update the CRD.

/// Desired state of Memcached.
#[kb::resource(
    group = "cache.example.com",
    version = "v1alpha1",
    kind = "Memcached",
    status = MemcachedStatus,
    column(name = "Ready", type = "string", json_path = ".status.conditions[?(@.type=='Ready')].status"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    doc = "Memcached is the Schema for the memcacheds API."
)]
pub struct MemcachedSpec {
    /// Container image.
    #[kb(default = "memcached:1.6.39-alpine", min_length = 1, column)]
    pub image: String,
    /// Number of pods.
    #[kb(default = 1, minimum = 0, column)]
    pub size: i32,
    /// Port of the container and of the Service.
    #[kb(default = 11211, minimum = 1, maximum = 65535)]
    pub container_port: i32,
}

/// Observed state of Memcached.
#[kb::object]
pub struct MemcachedStatus {
    /// Most recent generation observed by the controller.
    pub observed_generation: Option<i64>,
    /// Latest available observations of the object's state.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<meta::v1::Condition>,
}
