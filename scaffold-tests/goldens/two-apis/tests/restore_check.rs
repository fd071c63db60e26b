// SPDX-License-Identifier: MIT

//! The restore-check controller on a real API server. The operator runs under its own role: config/rbac.

use kb::Manager;
use kb::namespaces::Namespaces;
use kb_envtest::{Environment, Shared};

use two_apis::controller::restore_check::start;

/// What the operator is called.
const OPERATOR: &str = "two-apis";

/// The operator's namespace.
const NAMESPACE: &str = "two-apis-system";

/// The control plane that all tests of this file share; none, if there is none to start.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: Shared = Shared::new();
    let builder = Environment::builder().crds_from("config/crd");
    Ok(SHARED.start(builder).await?)
}

#[tokio::test]
async fn the_role_lets_it_see_what_it_reconciles() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let operator = environment.operator(NAMESPACE, "config/rbac").await?;
    let manager = Manager::for_tests(OPERATOR, operator.client(), Namespaces::All)?;
    start(&manager);
    let seen = manager.store::<two_apis_api::v1::Backup>();
    let running = manager.spawn();

    let listed = seen.wait_until_synced();
    operator.until("every object is listed", listed).await?;

    running.stop().await?;
    // No call was made that the role does not declare.
    operator.check()?;
    Ok(())
}
