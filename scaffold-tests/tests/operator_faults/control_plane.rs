//! A control plane with the CRD and the service account of the operator.

use std::{fs, path::PathBuf, time::Duration};

use kb_envtest::{Environment, Error, ServiceAccount};
use scaffold_tests::{Cargo, Operator, skip};
use serde_json::Value;
use tokio::{
    sync::{Mutex, MutexGuard, OnceCell},
    time::{Instant, sleep},
};

use crate::{app_services::AppServices, process::Process};

/// Namespace of the operator and its objects.
pub(crate) const NAMESPACE: &str = "faults";

/// Tests run sequentially.
pub(crate) static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// The built operator.
#[derive(Clone)]
struct BuiltOperator {
    project: PathBuf,
    program: PathBuf,
}

/// A control plane for one test.
pub(crate) struct ControlPlane {
    pub environment: Environment,
    pub dir: tempfile::TempDir,
    operator: BuiltOperator,
    _turn: MutexGuard<'static, ()>,
}

impl ControlPlane {
    /// Starts a control plane with the CRD of the operator; none if there are no binaries.
    pub(crate) async fn new() -> Option<Self> {
        let turn = ONE_AT_A_TIME.lock().await;
        let operator = built_operator().await;
        let environment = match Environment::builder().start().await {
            Err(error @ (Error::NotFound { .. } | Error::Incomplete { .. })) => {
                skip(format_args!("no fault was injected: {error}"));
                return None;
            }
            started => started.unwrap(),
        };
        let plane = Self {
            environment,
            dir: tempfile::tempdir().unwrap(),
            operator,
            _turn: turn,
        };
        plane.environment.apply([plane.crd()]).await.unwrap();
        Some(plane)
    }

    /// Returns the CRD of the operator.
    pub(crate) fn crd(&self) -> Value {
        self.manifest("config/crd/bases/batch.example.com_appservices.yaml")
    }

    /// Returns a manifest of the project.
    pub(crate) fn manifest(&self, path: &str) -> Value {
        let text = fs::read_to_string(self.operator.project.join(path)).unwrap();
        serde_saphyr::from_str(&text).unwrap()
    }

    /// Creates the service account of the operator with the roles of the project.
    pub(crate) async fn account(&self) -> ServiceAccount {
        let rbac = self.operator.project.join("config/rbac");
        let operator = self.environment.operator(NAMESPACE, rbac).await.unwrap();
        operator.account().clone()
    }

    /// Starts the operator. Its files are in the directory `name`.
    pub(crate) async fn operator(&self, name: &str, flags: &[&str]) -> Process {
        let account = self.account().await;
        let kubeconfig = self.environment.kubeconfig_as(&account);
        self.operator_with(name, &kubeconfig, flags)
    }

    /// Starts the operator with another kubeconfig.
    pub(crate) fn operator_with(&self, name: &str, kubeconfig: &str, flags: &[&str]) -> Process {
        let dir = self.dir.path().join(name);
        Process::start(&self.operator.program, &dir, kubeconfig, flags)
    }

    /// Returns the APIs of the objects, as the administrator.
    pub(crate) async fn app_services(&self) -> AppServices {
        AppServices::new(self.environment.client().await.unwrap(), NAMESPACE)
    }
}

impl Drop for ControlPlane {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.environment.keep_logs();
        }
    }
}

/// Scaffolds and builds the operator once.
async fn built_operator() -> BuiltOperator {
    static BUILT: OnceCell<BuiltOperator> = OnceCell::const_new();
    let build = || {
        let cargo = Cargo::new().unwrap();
        let operator = Operator::read("appservice").unwrap();
        let project = operator.project(&cargo).unwrap();
        cargo.run(&project, &["build", "--quiet"]).unwrap();
        let program = cargo.built("appservice");
        BuiltOperator { project, program }
    };
    let operator =
        BUILT.get_or_init(|| async { tokio::task::spawn_blocking(build).await.unwrap() });
    operator.await.clone()
}

/// Polls until a condition holds.
pub(crate) async fn eventually<F: Future<Output = bool>>(what: &str, condition: impl Fn() -> F) {
    within(Duration::from_secs(120), what, condition).await;
}

/// Polls until a condition holds. Returns the elapsed time.
pub(crate) async fn within<F: Future<Output = bool>>(
    timeout: Duration,
    what: &str,
    condition: impl Fn() -> F,
) -> Duration {
    let start = Instant::now();
    while !condition().await {
        assert!(start.elapsed() < timeout, "timed out: {what}");
        sleep(Duration::from_millis(50)).await;
    }
    start.elapsed()
}
