//! A control plane with the operator's CRD, and the operator's account on it.

use std::{fs, path::PathBuf, time::Duration};

use kb_envtest::{Environment, Error, ServiceAccount};
use scaffold_tests::{Cargo, Operator, skip};
use serde_json::Value;
use tokio::{
    sync::{Mutex, MutexGuard, OnceCell},
    time::{Instant, sleep},
};

use crate::{app_services::AppServices, process::Process};

/// The namespace of the operator and of its objects.
pub(crate) const NAMESPACE: &str = "faults";

/// Tests take turns.
pub(crate) static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// Where the operator was built.
#[derive(Clone)]
struct Built {
    project: PathBuf,
    program: PathBuf,
}

/// A control plane for one test.
pub(crate) struct Place {
    pub environment: Environment,
    pub folder: tempfile::TempDir,
    built: Built,
    _turn: MutexGuard<'static, ()>,
}

impl Place {
    /// A control plane with the operator's CRD; none if there is none to start.
    pub(crate) async fn new() -> Option<Self> {
        let turn = ONE_AT_A_TIME.lock().await;
        let built = built().await;
        let environment = match Environment::builder().start().await {
            Err(error @ (Error::NotFound { .. } | Error::Incomplete { .. })) => {
                skip(format_args!("no fault was tested: {error}"));
                return None;
            }
            started => started.unwrap(),
        };
        let place = Self {
            environment,
            folder: tempfile::tempdir().unwrap(),
            built,
            _turn: turn,
        };
        place.environment.apply([place.crd()]).await.unwrap();
        Some(place)
    }

    /// The operator's CRD.
    pub(crate) fn crd(&self) -> Value {
        self.manifest("config/crd/bases/batch.example.com_appservices.yaml")
    }

    /// A manifest of the project.
    pub(crate) fn manifest(&self, path: &str) -> Value {
        let text = fs::read_to_string(self.built.project.join(path)).unwrap();
        serde_saphyr::from_str(&text).unwrap()
    }

    /// The operator's account, with the roles that the project gives it.
    pub(crate) async fn account(&self) -> ServiceAccount {
        let rbac = self.built.project.join("config/rbac");
        let operator = self.environment.operator(NAMESPACE, rbac).await.unwrap();
        operator.account().clone()
    }

    /// Starts the operator, by this name for its files.
    pub(crate) async fn operator(&self, name: &str, flags: &[&str]) -> Process {
        let account = self.account().await;
        let kubeconfig = self.environment.kubeconfig_as(&account);
        self.operator_with(name, &kubeconfig, flags)
    }

    /// Starts the operator with a kubeconfig of one's own.
    pub(crate) fn operator_with(&self, name: &str, kubeconfig: &str, flags: &[&str]) -> Process {
        let folder = self.folder.path().join(name);
        Process::start(&self.built.program, &folder, kubeconfig, flags)
    }

    /// The objects, as the administrator sees them.
    pub(crate) async fn app_services(&self) -> AppServices {
        AppServices::new(self.environment.client().await.unwrap(), NAMESPACE)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.environment.keep_logs();
        }
    }
}

/// Makes and builds the operator, once.
async fn built() -> Built {
    static BUILT: OnceCell<Built> = OnceCell::const_new();
    let make = || {
        let cargo = Cargo::new().unwrap();
        let operator = Operator::read("appservice").unwrap();
        let project = operator.project(&cargo).unwrap();
        cargo.run(&project, &["build", "--quiet"]).unwrap();
        let program = cargo.built("appservice");
        Built { project, program }
    };
    let built = BUILT.get_or_init(|| async { tokio::task::spawn_blocking(make).await.unwrap() });
    built.await.clone()
}

/// Waits until something is so.
pub(crate) async fn eventually<F: Future<Output = bool>>(what: &str, is_so: impl Fn() -> F) {
    within(Duration::from_secs(120), what, is_so).await;
}

/// Waits until something is so, and says how long that took.
pub(crate) async fn within<F: Future<Output = bool>>(
    patience: Duration,
    what: &str,
    is_so: impl Fn() -> F,
) -> Duration {
    let start = Instant::now();
    while !is_so().await {
        assert!(start.elapsed() < patience, "in vain: {what}");
        sleep(Duration::from_millis(50)).await;
    }
    start.elapsed()
}
