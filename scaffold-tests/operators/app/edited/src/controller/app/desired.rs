// SPDX-License-Identifier: Apache-2.0

//! Desired objects of an App.
//!
//! They set only the fields that the App determines; other field managers may set the rest.

use std::collections::BTreeMap;

use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{
    Container, ContainerPort, PodSpec, PodTemplateSpec, Service, ServicePort, ServiceSpec,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::ResourceExt;

use app_api::v1;

/// Port of the container and of the Service.
const PORT: i32 = 80;

/// Returns the labels of the Deployment, its pods and the Service, which select the pods.
fn labels(app: &v1::App) -> BTreeMap<String, String> {
    BTreeMap::from([("app".to_owned(), app.name_any())])
}

/// Returns the desired Deployment.
pub(super) fn desired_deployment(app: &v1::App) -> Deployment {
    let spec = &app.spec.deployment;
    let container = Container {
        name: "app".to_owned(),
        image: Some(spec.image.clone()),
        ports: Some(vec![ContainerPort {
            container_port: PORT,
            ..ContainerPort::default()
        }]),
        ..Container::default()
    };
    Deployment {
        metadata: ObjectMeta {
            name: Some(spec.name.clone()),
            labels: Some(labels(app)),
            ..ObjectMeta::default()
        },
        spec: Some(DeploymentSpec {
            replicas: Some(spec.replicas),
            selector: LabelSelector {
                match_labels: Some(labels(app)),
                ..LabelSelector::default()
            },
            template: PodTemplateSpec {
                metadata: Some(ObjectMeta {
                    labels: Some(labels(app)),
                    ..ObjectMeta::default()
                }),
                spec: Some(PodSpec {
                    containers: vec![container],
                    ..PodSpec::default()
                }),
            },
            ..DeploymentSpec::default()
        }),
        ..Deployment::default()
    }
}

/// Returns the desired Service.
pub(super) fn desired_service(app: &v1::App) -> Service {
    Service {
        metadata: ObjectMeta {
            name: Some(app.spec.service.name.clone()),
            labels: Some(labels(app)),
            ..ObjectMeta::default()
        },
        spec: Some(ServiceSpec {
            selector: Some(labels(app)),
            ports: Some(vec![ServicePort {
                port: PORT,
                target_port: Some(IntOrString::Int(PORT)),
                ..ServicePort::default()
            }]),
            ..ServiceSpec::default()
        }),
        ..Service::default()
    }
}
