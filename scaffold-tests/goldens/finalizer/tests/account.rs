// SPDX-License-Identifier: Apache-2.0

//! Integration test of the Account controller against a real API server.
//!
//! The operator runs with the permissions in config/rbac.

use kb::Manager;
use kb::namespaces::Namespaces;
use kb::objects::conditions;
use kb_envtest::{Environment, SharedEnvironment};
use kube::api::{DeleteParams, PostParams};
use kube::runtime::wait::{await_condition, delete::delete_and_finalize};
use kube::{Api, ResourceExt};

use finalizer::controller::account::register;
use finalizer_api::v1;

/// Name of the operator.
const OPERATOR: &str = "finalizer";

/// Namespace of the operator.
const NAMESPACE: &str = "finalizer-system";

const SAMPLE: &str = include_str!("../config/samples/bank_v1_account.yaml");

/// Returns the control plane shared by all tests in this file, or `None` if it is not installed.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: SharedEnvironment = SharedEnvironment::new();
    let builder = Environment::builder().crds_from("config/crd");
    Ok(SHARED.start(builder).await?)
}

/// Returns whether the latest generation is reconciled and ready.
fn is_ready(object: Option<&v1::Account>) -> bool {
    object.is_some_and(|object| {
        object.status.as_ref().is_some_and(|status| {
            status.observed_generation == object.metadata.generation
                && conditions::is_true(&status.conditions, "Ready")
        })
    })
}

#[tokio::test]
async fn sample_becomes_ready_and_can_be_deleted() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let operator = environment.operator(NAMESPACE, "config/rbac").await?;
    let namespaces = Namespaces::single("default");
    let manager = Manager::for_tests(OPERATOR, operator.client(), namespaces)?;
    register(&manager);
    let running = manager.spawn();

    let admin = environment.client().await?;
    let api: Api<v1::Account> = Api::namespaced(admin, "default");
    let sample = serde_saphyr::from_str(SAMPLE)?;
    let sample = api.create(&PostParams::default(), &sample).await?;
    let name = sample.name_any();
    let ready = await_condition(api.clone(), &name, is_ready);
    operator.wait_for("the sample is ready", ready).await??;
    let delete = DeleteParams::default();
    let gone = delete_and_finalize(api, &name, &delete);
    operator.wait_for("the sample is deleted", gone).await??;

    running.stop().await?;
    // Fails if the operator sent a request that its role does not allow.
    operator.check()?;
    Ok(())
}
