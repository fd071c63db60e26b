//! What becomes of an AppService on a real API server. The operator runs under its own role: config/rbac.

use kb::Manager;
use kb::namespaces::Namespaces;
use kb::objects::conditions;
use kb_envtest::{Environment, Shared};
use kube::api::{DeleteParams, PostParams};
use kube::runtime::wait::{await_condition, delete::delete_and_finalize};
use kube::{Api, ResourceExt};

use namespaced::controller::app_service::start;
use namespaced_api::v1alpha1;

/// What the operator is called.
const OPERATOR: &str = "namespaced";

/// The operator's namespace.
const NAMESPACE: &str = "namespaced-system";

const SAMPLE: &str = include_str!("../config/samples/batch_v1alpha1_appservice.yaml");

/// The control plane that all tests of this file share; none, if there is none to start.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: Shared = Shared::new();
    let builder = Environment::builder().crds_from("config/crd");
    Ok(SHARED.start(builder).await?)
}

fn is_ready(object: Option<&v1alpha1::AppService>) -> bool {
    object.is_some_and(|object| {
        object.status.as_ref().is_some_and(|status| {
            status.observed_generation == object.metadata.generation
                && conditions::is_true(&status.conditions, "Ready")
        })
    })
}

#[tokio::test]
async fn the_sample_becomes_ready_and_can_be_deleted() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let operator = environment.operator(NAMESPACE, "config/rbac").await?;
    let watched = Namespaces::single(NAMESPACE);
    let manager = Manager::for_tests(OPERATOR, operator.client(), watched)?;
    start(&manager);
    let running = manager.spawn();

    let admin = environment.client().await?;
    let objects: Api<v1alpha1::AppService> = Api::namespaced(admin, NAMESPACE);
    let sample = serde_saphyr::from_str(SAMPLE)?;
    let sample = objects.create(&PostParams::default(), &sample).await?;
    let name = sample.name_any();
    let ready = await_condition(objects.clone(), &name, is_ready);
    operator.until("the sample is ready", ready).await??;
    let delete = DeleteParams::default();
    let gone = delete_and_finalize(objects, &name, &delete);
    operator.until("the sample is deleted", gone).await??;

    running.stop().await?;
    // No call was made that the role does not declare.
    operator.check()?;
    Ok(())
}
