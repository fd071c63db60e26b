//! An operator under test, restricted to its own roles, whose API calls are recorded.

use std::{collections::BTreeSet, fmt, path::Path, thread, time::Duration};

use kube::{Client, client::ClientBuilder};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::{
    Call, Environment, Error, ServiceAccount,
    manifests::Manifests,
    recorder::Recorder,
    recording::{self, RecordedCalls},
    rule::{self, Grant},
    undeclared,
};

/// Timeout of [`Operator::wait_for`].
const TIMEOUT: Duration = Duration::from_secs(30);

/// An operator under test. See [`Environment::operator`].
pub struct Operator<'e> {
    environment: &'e Environment,
    account: ServiceAccount,
    manifests: Manifests,
    recorder: Recorder,
    client: Client,
}

impl Environment {
    /// Creates the service account of an operator, with exactly the roles that a directory of manifests binds to it. In a kb-rs project that is
    /// `config/rbac`.
    ///
    /// Replaces the namespace in the manifests by `namespace`. Operators in different namespaces have separate roles, but a `ClusterRole` still
    /// covers all objects: tests that run in parallel should use different objects.
    pub async fn operator(
        &self,
        namespace: &str,
        manifests: impl AsRef<Path>,
    ) -> Result<Operator<'_>, Error> {
        let manifests = Manifests::read(manifests.as_ref(), namespace)?;
        let role = |grant: &Grant| role_object(grant, namespace);
        let roles: Vec<Value> = manifests.grants.iter().map(role).collect();
        let account = self
            .service_account(namespace, &manifests.account, roles)
            .await?;
        let recorder = Recorder::default();
        let mut config = self.config_as(&account).await?;
        // Like the manager's client: the work queue retries.
        config.default_retry = false;
        let builder = ClientBuilder::try_from(config);
        let builder = builder.map_err(|error| Error::Client(error.into()))?;
        Ok(Operator {
            environment: self,
            client: builder.with_layer(&recorder).build(),
            account,
            manifests,
            recorder,
        })
    }
}

/// Returns the role of a grant, with a name unique to the operator.
fn role_object(grant: &Grant, namespace: &str) -> Value {
    let kind = match grant.namespace {
        Some(_) => "Role",
        None => "ClusterRole",
    };
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": format!("{}:{namespace}", grant.role), "namespace": grant.namespace},
        "rules": grant.rules,
    })
}

impl Operator<'_> {
    /// Returns the client to pass to the operator. Its requests count as calls of the operator, so do not use it in the test itself.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// Returns the service account.
    pub fn account(&self) -> &ServiceAccount {
        &self.account
    }

    /// Returns the calls so far.
    pub fn calls(&self) -> BTreeSet<Call> {
        self.recorder.calls()
    }

    /// Returns the writes so far that conflicted (409) with an earlier write of the operator itself. Conflicts with other writers are not
    /// included.
    pub fn stale_writes(&self) -> BTreeSet<Call> {
        self.recorder.stale_writes()
    }

    /// Waits for a future, for up to 30 seconds. Fails immediately if the operator makes a call that its roles do not allow, so that a missing
    /// permission is reported as such.
    pub async fn wait_for<T>(
        &self,
        what: &str,
        future: impl Future<Output = T>,
    ) -> Result<T, Error> {
        tokio::select! {
            output = future => Ok(output),
            error = self.undeclared_call_or_timeout(what) => {
                self.environment.keep_logs();
                Err(error)
            }
        }
    }

    async fn undeclared_call_or_timeout(&self, what: &str) -> Error {
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            if self.check_declared().is_err() {
                // Collects further missing permissions, which show up soon after.
                sleep(Duration::from_millis(500)).await;
            }
            if let Err(undeclared) = self.check_declared() {
                return undeclared;
            }
            sleep(Duration::from_millis(50)).await;
        }
        Error::TimedOut {
            what: what.to_owned(),
            after: TIMEOUT,
            forbidden: self
                .recorder
                .forbidden()
                .iter()
                .map(Call::to_string)
                .collect(),
        }
    }

    /// Compares the calls with the roles. Call it after the operator has stopped.
    ///
    /// Fails if the operator made a call that its roles do not allow, even if the API server allowed it. Prints permissions that were not used, and
    /// writes the calls to a file for `kb-rs generate rbac --report-unused`, which considers all tests.
    pub fn check(&self) -> Result<(), Error> {
        let calls = self.calls();
        let recorded = RecordedCalls {
            calls: calls.clone(),
            stale_writes: self.stale_writes(),
        };
        recording::write(self.account.namespace(), recorded)?;
        let checked = self.check_declared();
        checked.inspect_err(|_| self.environment.keep_logs())?;
        self.print_unused(&calls);
        Ok(())
    }

    fn check_declared(&self) -> Result<(), Error> {
        let default = rule::default_grant();
        let is_declared = |call: &Call| {
            let mut grants = self.manifests.grants.iter().chain([&default]);
            grants.any(|grant| grant.allows(call))
        };
        let calls = self.calls();
        let undeclared: Vec<&Call> = calls.iter().filter(|call| !is_declared(call)).collect();
        if undeclared.is_empty() {
            return Ok(());
        }
        Err(undeclared::error(&undeclared))
    }

    #[expect(clippy::print_stderr, reason = "output of the test")]
    fn print_unused(&self, calls: &BTreeSet<Call>) {
        let grants = self.manifests.grants.iter();
        for line in grants.flat_map(|grant| grant.unused(calls)) {
            eprintln!("permission not used by this test: {line}");
        }
    }
}

impl Drop for Operator<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.environment.keep_logs();
        }
    }
}

impl fmt::Debug for Operator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operator")
            .field("account", &self.account)
            .finish_non_exhaustive()
    }
}
