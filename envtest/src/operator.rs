//! An operator under test: it may do what its manifests say, and what it does is compared with them.

use std::{collections::BTreeSet, fmt, path::Path, thread, time::Duration};

use kube::{Client, client::ClientBuilder};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::{
    Call, Environment, Error, ServiceAccount,
    manifests::Manifests,
    recorder::Recorder,
    recording::{self, Recorded},
    rule::{self, Grant},
    undeclared,
};

/// How long an operator may take for what it is to bring about.
const PATIENCE: Duration = Duration::from_secs(30);

/// An operator under test: see [`Environment::operator`].
pub struct Operator<'e> {
    environment: &'e Environment,
    account: ServiceAccount,
    manifests: Manifests,
    recorder: Recorder,
    client: Client,
}

impl Environment {
    /// Makes the service account of an operator in a namespace, with exactly the roles that the manifests in a folder bind it to: of a
    /// project of kb-rs that is `config/rbac`.
    ///
    /// The namespace that the manifests name stands for `namespace`. Operators in different namespaces have roles of their own; what
    /// objects they see is up to those roles, so tests that run at once should not use the same objects.
    pub async fn operator(
        &self,
        namespace: &str,
        manifests: impl AsRef<Path>,
    ) -> Result<Operator<'_>, Error> {
        let manifests = Manifests::read(manifests.as_ref(), namespace)?;
        let role = |grant: &Grant| document(grant, namespace);
        let roles: Vec<Value> = manifests.grants.iter().map(role).collect();
        let account = self
            .service_account(namespace, &manifests.account, roles)
            .await?;
        let recorder = Recorder::default();
        let mut config = self.config_as(&account).await?;
        // As the manager's own client: its work queue retries.
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

/// The role of a grant. Other operators of the environment may have one of the same name.
fn document(grant: &Grant, namespace: &str) -> Value {
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
    /// The operator's client: for the operator alone, because what it sends is the operator's.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// The operator's account.
    pub fn account(&self) -> &ServiceAccount {
        &self.account
    }

    /// What was called up to now, sorted.
    pub fn calls(&self) -> BTreeSet<Call> {
        self.recorder.calls()
    }

    /// Returns the writes up to now that had to conflict (409), sorted: they were computed from a version of the object that the operator itself
    /// had replaced. Conflicts with other writers are not among them.
    pub fn stale_writes(&self) -> BTreeSet<Call> {
        self.recorder.stale_writes()
    }

    /// Waits until something has happened that the operator is to bring about, for up to 30 seconds. A call that is not declared ends the
    /// wait at once: a permission that is missing is told as such.
    pub async fn until<T>(&self, what: &str, happens: impl Future<Output = T>) -> Result<T, Error> {
        tokio::select! {
            happened = happens => Ok(happened),
            problem = self.problem(what) => {
                self.environment.keep_logs();
                Err(problem)
            }
        }
    }

    /// Why something will not happen.
    async fn problem(&self, what: &str) -> Error {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if self.declared().is_err() {
                // What else is missing shows soon after, and is told with it.
                sleep(Duration::from_millis(500)).await;
            }
            if let Err(undeclared) = self.declared() {
                return undeclared;
            }
            sleep(Duration::from_millis(50)).await;
        }
        Error::InVain {
            what: what.to_owned(),
            after: PATIENCE,
            refused: self
                .recorder
                .refused()
                .iter()
                .map(Call::to_string)
                .collect(),
        }
    }

    /// Compares what was called with what is declared; call it when the operator has ended.
    ///
    /// A call that the roles do not allow is an error, even if the API server let it pass. What they allow and nobody called is printed, as output of the test. The
    /// calls are written to a file for `kb-rs generate rbac --report-unused`, which looks at all tests together.
    pub fn check(&self) -> Result<(), Error> {
        let calls = self.calls();
        let recorded = Recorded {
            calls: calls.clone(),
            stale_writes: self.stale_writes(),
        };
        recording::write(self.account.namespace(), recorded)?;
        let declared = self.declared();
        declared.inspect_err(|_| self.environment.keep_logs())?;
        self.print_unused(&calls);
        Ok(())
    }

    fn declared(&self) -> Result<(), Error> {
        let everybody = rule::of_everybody();
        let is_declared = |call: &Call| {
            let mut grants = self.manifests.grants.iter().chain([&everybody]);
            grants.any(|grant| grant.allows(call))
        };
        let calls = self.calls();
        let undeclared: Vec<&Call> = calls.iter().filter(|call| !is_declared(call)).collect();
        if undeclared.is_empty() {
            return Ok(());
        }
        Err(undeclared::error(&undeclared))
    }

    #[expect(clippy::print_stderr, reason = "it is for who runs the tests")]
    fn print_unused(&self, calls: &BTreeSet<Call>) {
        let grants = self.manifests.grants.iter();
        for line in grants.flat_map(|grant| grant.unused(calls)) {
            eprintln!("declared, and not used by this test: {line}");
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
