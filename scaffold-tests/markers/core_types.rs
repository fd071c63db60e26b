//! Types of Kubernetes, as Go has them in CRDs.

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

/// What is asked for.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "CoreTypesCase",
    status = CoreTypesCaseStatus
)]
pub struct CoreTypesCaseSpec {
    /// Pods.
    pub template: PodTemplateSpec,
    /// Which pods.
    pub selector: Option<LabelSelector>,
    /// How much.
    pub size: Quantity,
    /// Bytes.
    pub data: BTreeMap<String, ByteString>,
    /// When.
    pub since: Option<Time>,
    /// Anything.
    pub raw: Option<RawExtension>,
}

/// What was seen.
#[kb::object]
pub struct CoreTypesCaseStatus {
    /// Observations.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<Condition>,
}
