//! Kubernetes types with the schemas of controller-gen.

use std::collections::BTreeMap;

use kb::k8s_openapi::{
    ByteString,
    api::core::v1::PodTemplateSpec,
    apimachinery::pkg::{
        api::resource::Quantity,
        apis::meta::v1::{Condition, LabelSelector, Time},
        runtime::RawExtension,
    },
};

/// Desired state.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "CoreTypesCase",
    status = CoreTypesCaseStatus
)]
pub struct CoreTypesCaseSpec {
    /// Pod template.
    pub template: PodTemplateSpec,
    /// Label selector.
    pub selector: Option<LabelSelector>,
    /// Resource requirements.
    pub size: Quantity,
    /// Quantity.
    pub data: BTreeMap<String, ByteString>,
    /// Timestamp.
    pub since: Option<Time>,
    /// Arbitrary JSON.
    pub raw: Option<RawExtension>,
}

/// Observed state.
#[kb::object]
pub struct CoreTypesCaseStatus {
    /// Conditions.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<Condition>,
}
