// SPDX-License-Identifier: Apache-2.0

//! Integration test of the Platform controller against a real API server.
//!
//! The operator runs with the permissions in config/rbac.

use kb::Manager;
use kb::namespaces::Namespaces;
use kb::objects::conditions;
use kb_envtest::{Environment, SharedEnvironment};
use kube::api::{DeleteParams, PostParams};
use kube::runtime::wait::{await_condition, delete::delete_and_finalize};
use kube::{Api, ResourceExt};

use owns::controller::platform::register;
use owns_api::v1alpha1;

/// Name of the operator.
const OPERATOR: &str = "owns";

/// Namespace of the operator.
const NAMESPACE: &str = "owns-system";

const SAMPLE: &str = include_str!("../config/samples/batch_v1alpha1_platform.yaml");

/// Returns the control plane shared by all tests in this file, or `None` if it is not installed.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: SharedEnvironment = SharedEnvironment::new();
    let builder = Environment::builder().crds_from("config/crd");
    Ok(SHARED.start(builder).await?)
}

/// Returns whether the condition `Ready` is reported for the latest generation.
///
/// The condition may be false: objects that are not implemented are never ready, and without nodes,
/// workloads become ready only if the test patches their status.
fn is_reported(object: Option<&v1alpha1::Platform>) -> bool {
    let status = object.and_then(|object| object.status.as_ref());
    let ready = status.and_then(|status| conditions::find(&status.conditions, "Ready"));
    let generation = object.and_then(|object| object.metadata.generation);
    ready.is_some_and(|ready| ready.observed_generation == generation)
}

#[tokio::test]
async fn sample_gets_a_status_and_can_be_deleted() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let operator = environment.operator(NAMESPACE, "config/rbac").await?;
    let manager = Manager::for_tests(OPERATOR, operator.client(), Namespaces::All)?;
    register(&manager);
    let running = manager.spawn();

    let admin = environment.client().await?;
    let api: Api<v1alpha1::Platform> = Api::all(admin);
    let sample = serde_saphyr::from_str(SAMPLE)?;
    let sample = api.create(&PostParams::default(), &sample).await?;
    let name = sample.name_any();
    let reported = await_condition(api.clone(), &name, is_reported);
    operator.wait_for("the status is set", reported).await??;
    let delete = DeleteParams::default();
    let gone = delete_and_finalize(api, &name, &delete);
    operator.wait_for("the sample is deleted", gone).await??;

    running.stop().await?;
    // Fails if the operator sent a request that its role does not allow.
    operator.check()?;
    Ok(())
}
