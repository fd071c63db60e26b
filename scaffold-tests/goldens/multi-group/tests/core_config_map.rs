// SPDX-License-Identifier: Apache-2.0

//! Integration test of the core-configmap controller against a real API server.
//!
//! The operator runs with the permissions in config/rbac.

use kb::Manager;
use kb::namespaces::Namespaces;
use kb_envtest::{Environment, SharedEnvironment};

use multi_group::controller::core_::config_map::register;

/// Name of the operator.
const OPERATOR: &str = "multi-group";

/// Namespace of the operator.
const NAMESPACE: &str = "multi-group-system";

/// Returns the control plane shared by all tests in this file, or `None` if it is not installed.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: SharedEnvironment = SharedEnvironment::new();
    let builder = Environment::builder();
    Ok(SHARED.start(builder).await?)
}

#[tokio::test]
async fn cache_syncs_with_the_manager_role() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let operator = environment.operator(NAMESPACE, "config/rbac").await?;
    let manager = Manager::for_tests(OPERATOR, operator.client(), Namespaces::All)?;
    register(&manager);
    let store = manager.store::<k8s_openapi::api::core::v1::ConfigMap>();
    let running = manager.spawn();

    let synced = store.wait_until_synced();
    operator.wait_for("the cache is synced", synced).await?;

    running.stop().await?;
    // Fails if the operator sent a request that its role does not allow.
    operator.check()?;
    Ok(())
}
