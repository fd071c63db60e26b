// SPDX-License-Identifier: Apache-2.0

//! Accessors of fields that tests check.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Container, Service};
use kb::objects::conditions;

use appservice_api::v1alpha1::AppService;

/// Returns whether the controller has observed the latest spec and reports it ready.
pub fn is_ready(object: &AppService) -> bool {
    is_observed(object) && has_ready_condition(object)
}

/// Returns whether the controller has observed the latest spec and reports it not ready.
pub fn is_not_ready(object: &AppService) -> bool {
    is_observed(object) && !has_ready_condition(object)
}

/// Returns whether all pods are created and none is available.
pub fn is_waiting_for_pods(object: &AppService) -> bool {
    let status = object.status.as_ref();
    let ready = status.and_then(|status| conditions::find(&status.conditions, "Ready"));
    ready.is_some_and(|ready| ready.message.ends_with("replicas available"))
}

fn is_observed(object: &AppService) -> bool {
    let status = object.status.as_ref();
    status.is_some_and(|status| status.observed_generation == object.metadata.generation)
}

fn has_ready_condition(object: &AppService) -> bool {
    let status = object.status.as_ref();
    status.is_some_and(|status| conditions::is_true(&status.conditions, "Ready"))
}

pub fn available(object: &AppService) -> Option<i32> {
    object.status.as_ref()?.available_replicas
}

fn container(deployment: &Deployment) -> Option<&Container> {
    let pods = deployment.spec.as_ref()?.template.spec.as_ref()?;
    pods.containers.first()
}

pub fn image(deployment: &Deployment) -> &str {
    let image = container(deployment).and_then(|container| container.image.as_deref());
    image.unwrap_or_default()
}

pub fn container_ports(deployment: &Deployment) -> Vec<i32> {
    let ports = container(deployment).and_then(|container| container.ports.as_ref());
    ports
        .into_iter()
        .flatten()
        .map(|port| port.container_port)
        .collect()
}

pub fn replicas(deployment: &Deployment) -> Option<i32> {
    deployment.spec.as_ref()?.replicas
}

pub fn ports(service: &Service) -> Vec<i32> {
    let ports = service.spec.as_ref().and_then(|spec| spec.ports.as_ref());
    ports.into_iter().flatten().map(|port| port.port).collect()
}

pub fn cluster_ip(service: &Service) -> Option<&str> {
    service.spec.as_ref()?.cluster_ip.as_deref()
}
