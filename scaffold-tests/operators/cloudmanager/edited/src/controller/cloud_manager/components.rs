// SPDX-License-Identifier: Apache-2.0

//! Desired objects of the components of a CloudManager, and their readiness.

use std::collections::BTreeMap;

use k8s_openapi::ByteString;
use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec, StatefulSet, StatefulSetSpec};
use k8s_openapi::api::core::v1::{
    Container, EnvVar, EnvVarSource, PersistentVolumeClaim, PersistentVolumeClaimSpec, PodSpec,
    PodTemplateSpec, Secret, SecretKeySelector, VolumeMount, VolumeResourceRequirements,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};
use kube::ResourceExt;

use cloudmanager_api::v1;

/// Key of the password in the Secret.
const PASSWORD: &str = "password";

/// Data volume of the database.
const DATADIR: &str = "datadir";

/// Returns the desired Deployment of the front end.
pub fn front(object: &v1::CloudManager) -> Deployment {
    let spec = &object.spec.front.deployment;
    deployment(&spec.name, container("front", &spec.image))
}

/// Returns the desired Deployment of the identity service, a sleeping shell.
pub fn identity(object: &v1::CloudManager) -> Deployment {
    let spec = &object.spec.identity.deployment;
    let shell = ["sh", "-c", "sleep infinity"];
    let container = Container {
        command: Some(shell.map(str::to_owned).to_vec()),
        ..container("identity", &spec.image)
    };
    deployment(&spec.name, container)
}

/// Returns the desired Secret with the database credentials.
pub fn secret(object: &v1::CloudManager) -> Secret {
    let bytes = |text: &str| ByteString(text.as_bytes().to_vec());
    Secret {
        metadata: named(&secret_name(object)),
        data: Some(BTreeMap::from([
            ("user".to_owned(), bytes("root")),
            (PASSWORD.to_owned(), bytes(&object.spec.db.root_pass)),
        ])),
        ..Default::default()
    }
}

/// Returns the desired StatefulSet of the database.
pub fn database(object: &v1::CloudManager) -> StatefulSet {
    let spec = &object.spec.db.stateful_set;
    let container = Container {
        env: Some(vec![root_password(object)]),
        volume_mounts: Some(vec![VolumeMount {
            name: DATADIR.to_owned(),
            mount_path: "/var/lib/mysql".to_owned(),
            ..Default::default()
        }]),
        ..container("db", &spec.image)
    };
    StatefulSet {
        metadata: named(&spec.name),
        spec: Some(StatefulSetSpec {
            selector: selector(&spec.name),
            template: template(&spec.name, container),
            volume_claim_templates: Some(vec![datadir(&spec.storage)]),
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// Returns whether a majority of the pods is ready.
pub fn is_deployment_ready(deployment: &Deployment) -> bool {
    let ready = deployment.status.as_ref().and_then(|it| it.ready_replicas);
    let all = deployment.spec.as_ref().and_then(|it| it.replicas);
    is_majority(ready, all)
}

/// Returns whether a majority of the pods is ready.
pub fn is_stateful_set_ready(stateful_set: &StatefulSet) -> bool {
    let ready = stateful_set
        .status
        .as_ref()
        .and_then(|it| it.ready_replicas);
    let all = stateful_set.spec.as_ref().and_then(|it| it.replicas);
    is_majority(ready, all)
}

fn is_majority(ready: Option<i32>, all: Option<i32>) -> bool {
    2 * ready.unwrap_or(0) > all.unwrap_or(1)
}

/// Returns the name of the Secret. It does not depend on the StatefulSet, which may be renamed.
fn secret_name(object: &v1::CloudManager) -> String {
    format!("{}-db", object.name_any())
}

fn root_password(object: &v1::CloudManager) -> EnvVar {
    let password = SecretKeySelector {
        name: secret_name(object),
        key: PASSWORD.to_owned(),
        ..Default::default()
    };
    EnvVar {
        name: "MYSQL_ROOT_PASSWORD".to_owned(),
        value_from: Some(EnvVarSource {
            secret_key_ref: Some(password),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn datadir(storage: &v1::StorageSpec) -> PersistentVolumeClaim {
    let size = ("storage".to_owned(), storage.size.clone());
    PersistentVolumeClaim {
        metadata: named(DATADIR),
        spec: Some(PersistentVolumeClaimSpec {
            storage_class_name: Some(storage.class.clone()),
            access_modes: Some(storage.access_modes.clone()),
            resources: Some(VolumeResourceRequirements {
                requests: Some(BTreeMap::from([size])),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// Returns a Deployment that leaves the replicas to others.
fn deployment(name: &str, container: Container) -> Deployment {
    Deployment {
        metadata: named(name),
        spec: Some(DeploymentSpec {
            selector: selector(name),
            template: template(name, container),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn template(name: &str, container: Container) -> PodTemplateSpec {
    PodTemplateSpec {
        metadata: Some(ObjectMeta {
            labels: Some(labels(name)),
            ..Default::default()
        }),
        spec: Some(PodSpec {
            containers: vec![container],
            ..Default::default()
        }),
    }
}

fn container(name: &str, image: &str) -> Container {
    Container {
        name: name.to_owned(),
        image: Some(image.to_owned()),
        ..Default::default()
    }
}

fn named(name: &str) -> ObjectMeta {
    ObjectMeta {
        name: Some(name.to_owned()),
        ..Default::default()
    }
}

fn selector(name: &str) -> LabelSelector {
    LabelSelector {
        match_labels: Some(labels(name)),
        ..Default::default()
    }
}

fn labels(name: &str) -> BTreeMap<String, String> {
    BTreeMap::from([("app".to_owned(), name.to_owned())])
}
