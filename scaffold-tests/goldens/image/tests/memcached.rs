// SPDX-License-Identifier: Apache-2.0

//! Integration test of the Memcached controller against a real API server.
//!
//! The operator runs with the permissions in config/rbac.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kb::Manager;
use kb::namespaces::Namespaces;
use kb::objects::conditions;
use kb::serde_json::json;
use kb_envtest::{Environment, SharedEnvironment};
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::runtime::wait::{await_condition, delete::delete_and_finalize};
use kube::{Api, ResourceExt};

use image::controller::memcached::register;
use image_api::v1alpha1;

/// Name of the operator.
const OPERATOR: &str = "image";

/// Namespace of the operator.
const NAMESPACE: &str = "image-system";

const SAMPLE: &str = include_str!("../config/samples/cache_v1alpha1_memcached.yaml");

/// Returns the control plane shared by all tests in this file, or `None` if it is not installed.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: SharedEnvironment = SharedEnvironment::new();
    let builder = Environment::builder().crds_from("config/crd");
    Ok(SHARED.start(builder).await?)
}

/// Returns whether the latest generation is reconciled and ready.
fn is_ready(object: Option<&v1alpha1::Memcached>) -> bool {
    object.is_some_and(|object| {
        object.status.as_ref().is_some_and(|status| {
            status.observed_generation == object.metadata.generation
                && conditions::is_true(&status.conditions, "Ready")
        })
    })
}

/// Returns a condition: the object exists and has an owner reference to this UID.
fn is_owned_by<K: ResourceExt>(uid: &str) -> impl Fn(Option<&K>) -> bool {
    move |object| {
        let references = object.map(K::owner_references).unwrap_or_default();
        references.iter().any(|reference| reference.uid == uid)
    }
}

/// Returns a condition: the spec of the Deployment has this image and number of replicas.
fn runs(image: &str, size: i32) -> impl Fn(Option<&Deployment>) -> bool {
    move |deployment| {
        let spec = deployment.and_then(|deployment| deployment.spec.as_ref());
        spec.is_some_and(|spec| {
            let pod = spec.template.spec.as_ref();
            let container = pod.and_then(|pod| pod.containers.first());
            let current = container.and_then(|container| container.image.as_deref());
            current == Some(image) && spec.replicas == Some(size)
        })
    }
}

#[tokio::test]
async fn sample_becomes_ready_follows_changes_and_can_be_deleted() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let operator = environment.operator(NAMESPACE, "config/rbac").await?;
    let namespace = "default";
    let namespaces = Namespaces::single(namespace);
    let manager = Manager::for_tests(OPERATOR, operator.client(), namespaces)?;
    register(&manager);
    let running = manager.spawn();

    let admin = environment.client().await?;
    let deployments: Api<Deployment> = Api::namespaced(admin.clone(), namespace);
    let services: Api<Service> = Api::namespaced(admin.clone(), namespace);
    let api: Api<v1alpha1::Memcached> = Api::namespaced(admin, namespace);
    let sample = serde_saphyr::from_str(SAMPLE)?;
    let sample = api.create(&PostParams::default(), &sample).await?;
    let name = sample.name_any();
    let uid = sample.uid().unwrap_or_default();
    let owned = await_condition(deployments.clone(), &name, is_owned_by(&uid));
    operator.wait_for("the Deployment exists", owned).await??;
    let owned = await_condition(services, &name, is_owned_by(&uid));
    operator.wait_for("the Service exists", owned).await??;

    // This control plane has no nodes, so the test reports the pods as available.
    let available = json!({"status": {
        "observedGeneration": 1,
        "replicas": 1,
        "updatedReplicas": 1,
        "readyReplicas": 1,
        "availableReplicas": 1,
    }});
    let (params, available) = (PatchParams::default(), Patch::Merge(available));
    deployments.patch_status(&name, &params, &available).await?;
    let ready = await_condition(api.clone(), &name, is_ready);
    operator.wait_for("the sample is ready", ready).await??;

    let change = json!({"spec": {"image": "example.com/app:2", "size": 3}});
    api.patch(&name, &params, &Patch::Merge(change)).await?;
    let updated = await_condition(deployments, &name, runs("example.com/app:2", 3));
    operator.wait_for("the spec is applied", updated).await??;

    let delete = DeleteParams::default();
    let gone = delete_and_finalize(api, &name, &delete);
    operator.wait_for("the sample is deleted", gone).await??;

    running.stop().await?;
    // Fails if the operator sent a request that its role does not allow.
    operator.check()?;
    Ok(())
}
