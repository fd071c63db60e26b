//! Health and readiness probes in controller-runtime's format.
//!
//! A probe passes if all of its checks pass. `/readyz` lists which checks failed; the path of a check, such as `/readyz/caches`, also returns the
//! reason.

use std::{
    collections::BTreeMap,
    fmt::Write,
    future::Future,
    io,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use axum::{
    Router,
    extract::{Path, RawQuery, State},
    routing::get,
};
use futures::future::{BoxFuture, join_all};
use http::StatusCode;
use tokio::{net::TcpListener, time::timeout};
use tokio_util::sync::CancellationToken;

use super::connections::{self, KeepAlive};

/// Timeout of a check. The kubelet's default timeout is one second.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

type Run = Arc<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>;
type ProbeResponse = (StatusCode, String);

/// Checks behind the health and readiness probes. Clones share them; checks may be added at any time.
///
/// ```
/// # let probes = kb::server::Probes::default();
/// let synced = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
/// probes.add_ready_check("caches", move || {
///     let synced = synced.load(std::sync::atomic::Ordering::Relaxed);
///     async move { synced.then_some(()).ok_or("caches not synced".to_owned()) }
/// });
/// ```
#[derive(Clone, Default)]
pub struct Probes {
    health: Checks,
    readiness: Checks,
}

impl Probes {
    /// Adds a check to `/healthz`, or replaces the one with this name. While it fails, the kubelet restarts the container.
    ///
    /// `check` runs on each probe, concurrently with the others, and fails after 5 seconds. Its error is the reason for the log.
    pub fn add_health_check<F, A>(&self, name: &str, check: F)
    where
        F: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.health.add(name, check);
    }

    /// Adds a check to `/readyz`, or replaces the one with this name. While it fails, the Pod receives no traffic and a rollout waits.
    ///
    /// `check` runs as for [`add_health_check`](Self::add_health_check).
    pub fn add_ready_check<F, A>(&self, name: &str, check: F)
    where
        F: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.readiness.add(name, check);
    }

    /// Adds a readiness check whose reasons `/readyz` includes.
    pub(crate) fn add_public_ready_check<F, A>(&self, name: &str, check: F)
    where
        F: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.readiness.insert(name, check, true);
    }
}

/// Serves `/healthz` and `/readyz` until `shutdown` is canceled. Pending responses get a few seconds to finish.
///
/// # Errors
///
/// Returns an error if `listener` has no local address.
pub async fn serve_probes(
    listener: TcpListener,
    probes: Probes,
    shutdown: CancellationToken,
) -> Result<(), io::Error> {
    let address = listener.local_addr()?;
    tracing::info!(%address, "health probe server listening");
    let router = Router::new()
        .merge(probes.health.router("healthz"))
        .merge(probes.readiness.router("readyz"));
    // The kubelet uses a new connection for each probe, and other clients must not keep one open.
    connections::serve(listener, router, None, KeepAlive::Disabled, shutdown).await;
    Ok(())
}

/// One check.
#[derive(Clone)]
struct Check {
    run: Run,
    /// Whether `/readyz` includes the reason of a failure.
    public: bool,
}

/// Checks of one probe by name.
#[derive(Clone, Default)]
struct Checks(Arc<RwLock<BTreeMap<String, Check>>>);

impl Checks {
    fn add<F, A>(&self, name: &str, check: F)
    where
        F: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.insert(name, check, false);
    }

    fn insert<F, A>(&self, name: &str, check: F, public: bool)
    where
        F: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), String>> + Send + 'static,
    {
        let run: Run = Arc::new(move || Box::pin(check()));
        let mut checks = self.0.write().unwrap_or_else(PoisonError::into_inner);
        checks.insert(name.to_owned(), Check { run, public });
    }

    /// Returns a copy, because the lock must not be held across an await.
    fn snapshot(&self) -> BTreeMap<String, Check> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn router(self, probe: &'static str) -> Router {
        let all = move |State(checks): State<Self>, RawQuery(query): RawQuery| async move {
            let verbose = query.is_some_and(|query| {
                query
                    .split('&')
                    .any(|word| word == "verbose" || word.starts_with("verbose="))
            });
            checks.run_all(probe, verbose).await
        };
        let one = |State(checks): State<Self>, Path(name): Path<String>| async move {
            checks.run_one(&name).await
        };
        Router::new()
            .route(&format!("/{probe}"), get(all))
            .route(&format!("/{probe}/{{name}}"), get(one))
            .with_state(self)
    }

    /// Runs all checks. Reasons may be confidential, so only those of public checks are included; others go to the log.
    async fn run_all(&self, probe: &str, verbose: bool) -> ProbeResponse {
        let checks = self.snapshot();
        let results = join_all(checks.values().map(run)).await;
        let mut passed = true;
        let mut text = String::new();
        for ((name, check), result) in checks.iter().zip(results) {
            // Writing to a String cannot fail.
            let _ = match result {
                Ok(()) => writeln!(text, "[+]{name} ok"),
                Err(reason) => {
                    passed = false;
                    tracing::info!(probe, check = name, reason, "check failed");
                    let public_reason = if check.public {
                        &reason
                    } else {
                        "reason withheld"
                    };
                    writeln!(text, "[-]{name} failed: {public_reason}")
                }
            };
        }
        match (passed, verbose) {
            (true, false) => (StatusCode::OK, "ok".to_owned()),
            (true, true) => (StatusCode::OK, format!("{text}{probe} check passed\n")),
            (false, _) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("{text}{probe} check failed\n"),
            ),
        }
    }

    async fn run_one(&self, name: &str) -> ProbeResponse {
        let Some(check) = self.snapshot().remove(name) else {
            return (StatusCode::NOT_FOUND, format!("no check {name:?}\n"));
        };
        match run(&check).await {
            Ok(()) => (StatusCode::OK, "ok".to_owned()),
            Err(reason) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("internal server error: {reason}\n"),
            ),
        }
    }
}

async fn run(check: &Check) -> Result<(), String> {
    timeout(CHECK_TIMEOUT, (check.run)())
        .await
        .unwrap_or_else(|_| Err(format!("timed out after {CHECK_TIMEOUT:?}")))
}

#[cfg(test)]
mod tests {
    use std::{
        future::{pending, ready},
        sync::atomic::{AtomicBool, Ordering},
    };

    use super::*;

    const FAILED: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;

    #[tokio::test]
    async fn a_probe_without_checks_passes() {
        let checks = Checks::default();
        assert_eq!(
            checks.run_all("healthz", false).await,
            (StatusCode::OK, "ok".to_owned())
        );
    }

    #[tokio::test]
    async fn a_probe_passes_once_all_checks_do() {
        let probes = Probes::default();
        let synced = Arc::new(AtomicBool::new(false));
        let cache = Arc::clone(&synced);
        probes.add_ready_check("ping", || ready(Ok(())));
        probes.add_ready_check("caches", move || {
            ready(
                cache
                    .load(Ordering::Relaxed)
                    .then_some(())
                    .ok_or("caches not synced: Secret".to_owned()),
            )
        });
        let text = "[-]caches failed: reason withheld\n[+]ping ok\nreadyz check failed\n";
        assert_eq!(
            probes.readiness.run_all("readyz", false).await,
            (FAILED, text.to_owned())
        );
        assert_eq!(
            probes.health.run_all("healthz", false).await.0,
            StatusCode::OK
        );

        synced.store(true, Ordering::Relaxed);
        assert_eq!(
            probes.readiness.run_all("readyz", false).await,
            (StatusCode::OK, "ok".to_owned())
        );
        let text = "[+]caches ok\n[+]ping ok\nreadyz check passed\n";
        assert_eq!(
            probes.readiness.run_all("readyz", true).await,
            (StatusCode::OK, text.to_owned())
        );
    }

    #[tokio::test]
    async fn a_single_check_returns_its_reason() {
        let checks = Checks::default();
        checks.add("webhook", || ready(Err("no certificate".to_owned())));
        assert_eq!(
            checks.run_one("webhook").await,
            (FAILED, "internal server error: no certificate\n".to_owned())
        );
        assert_eq!(checks.run_one("other").await.0, StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn a_public_check_includes_its_reason() {
        let probes = Probes::default();
        probes.add_public_ready_check("caches", || {
            ready(Err("caches not synced: Shop".to_owned()))
        });
        probes.add_ready_check("ping", || ready(Err("a secret".to_owned())));
        let text = "[-]caches failed: caches not synced: Shop\n[-]ping failed: reason withheld\nreadyz check failed\n";
        assert_eq!(
            probes.readiness.run_all("readyz", false).await,
            (FAILED, text.to_owned())
        );
    }

    #[tokio::test]
    async fn a_check_replaces_the_one_with_its_name() {
        let checks = Checks::default();
        checks.add("ping", || ready(Err("not yet".to_owned())));
        checks.add("ping", || ready(Ok(())));
        assert_eq!(checks.run_all("healthz", false).await.0, StatusCode::OK);
    }

    #[tokio::test(start_paused = true)]
    async fn a_hanging_check_times_out() {
        let checks = Checks::default();
        checks.add("ping", || ready(Ok(())));
        checks.add("stuck", pending);
        let text = "[+]ping ok\n[-]stuck failed: reason withheld\nhealthz check failed\n";
        assert_eq!(
            checks.run_all("healthz", false).await,
            (FAILED, text.to_owned())
        );
    }
}
