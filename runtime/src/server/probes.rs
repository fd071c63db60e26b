//! Serves `/healthz` and `/readyz`, in controller-runtime's words.
//!
//! A probe passes if all of its checks do; one without checks passes always. Whoever asks for all checks learns which of them failed, and
//! whoever asks for one, as in `/readyz/caches`, learns why.

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

use super::connections::{self, Requests};

/// How long a check may take. The kubelet gives up after a second, unless it is told otherwise.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

type Run = Arc<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>;
type Answer = (StatusCode, String);

/// What the kubelet is told. Clones are the same checks; a check may be added at any time.
///
/// ```
/// # let probes = kb::server::Probes::default();
/// let synced = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
/// probes.add_ready_check("caches", move || {
///     let synced = synced.load(std::sync::atomic::Ordering::Relaxed);
///     async move { synced.then_some(()).ok_or("the caches are not filled yet".to_owned()) }
/// });
/// ```
#[derive(Clone, Default)]
pub struct Probes {
    health: Checks,
    readiness: Checks,
}

impl Probes {
    /// While this check fails, the process is to be started anew. An earlier check of the same name is replaced.
    ///
    /// The check is called on each probe, together with the others, and fails if it takes longer than 5 seconds.
    pub fn add_health_check<F, A>(&self, name: &str, check: F)
    where
        F: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.health.add(name, check);
    }

    /// While this check fails, the process is not to be sent requests, and a rollout waits for it. Otherwise as
    /// [`add_health_check`](Self::add_health_check).
    pub fn add_ready_check<F, A>(&self, name: &str, check: F)
    where
        F: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.readiness.add(name, check);
    }

    /// Adds a ready check whose reasons `/readyz` itself shows.
    pub(crate) fn add_public_ready_check<F, A>(&self, name: &str, check: F)
    where
        F: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.readiness.insert(name, check, true);
    }
}

/// Answers `/healthz` and `/readyz` until `shutdown`.
pub async fn serve_probes(
    listener: TcpListener,
    probes: Probes,
    shutdown: CancellationToken,
) -> Result<(), io::Error> {
    let address = listener.local_addr()?;
    tracing::info!(%address, "Probes are served.");
    let router = Router::new()
        .merge(probes.health.router("healthz"))
        .merge(probes.readiness.router("readyz"));
    // The kubelet asks on a new connection each time, and clients that keep asking must not hold one.
    connections::serve(listener, router, None, Requests::One, shutdown).await;
    Ok(())
}

/// One check.
#[derive(Clone)]
struct Check {
    run: Run,
    /// Whether everybody may read why it fails.
    public: bool,
}

/// The checks of one probe, by name.
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

    /// Not under the lock: checks wait.
    fn all(&self) -> BTreeMap<String, Check> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn router(self, probe: &'static str) -> Router {
        let every = move |State(checks): State<Self>, RawQuery(query): RawQuery| async move {
            let verbose = query.is_some_and(|query| {
                query
                    .split('&')
                    .any(|word| word == "verbose" || word.starts_with("verbose="))
            });
            checks.every(probe, verbose).await
        };
        let one = |State(checks): State<Self>, Path(name): Path<String>| async move {
            checks.one(&name).await
        };
        Router::new()
            .route(&format!("/{probe}"), get(every))
            .route(&format!("/{probe}/{{name}}"), get(one))
            .with_state(self)
    }

    /// Reasons are for the log and for those who ask for a check by its name, unless the check is public: they may hold what is
    /// nobody's business.
    async fn every(&self, probe: &str, verbose: bool) -> Answer {
        let checks = self.all();
        let results = join_all(checks.values().map(run)).await;
        let mut passed = true;
        let mut text = String::new();
        for ((name, check), result) in checks.iter().zip(results) {
            // Writing to a string does not fail.
            let _ = match result {
                Ok(()) => writeln!(text, "[+]{name} ok"),
                Err(reason) => {
                    passed = false;
                    tracing::info!(probe, check = name, reason, "A check failed.");
                    let shown = if check.public {
                        &reason
                    } else {
                        "reason withheld"
                    };
                    writeln!(text, "[-]{name} failed: {shown}")
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

    async fn one(&self, name: &str) -> Answer {
        let Some(check) = self.all().remove(name) else {
            return (
                StatusCode::NOT_FOUND,
                format!("There is no check {name:?}.\n"),
            );
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
    let late = |_| {
        Err(format!(
            "it took longer than {} seconds",
            CHECK_TIMEOUT.as_secs()
        ))
    };
    timeout(CHECK_TIMEOUT, (check.run)())
        .await
        .unwrap_or_else(late)
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
            checks.every("healthz", false).await,
            (StatusCode::OK, "ok".to_owned())
        );
    }

    #[tokio::test]
    async fn a_probe_turns_good_when_its_last_check_does() {
        let probes = Probes::default();
        let synced = Arc::new(AtomicBool::new(false));
        let cache = Arc::clone(&synced);
        probes.add_ready_check("ping", || ready(Ok(())));
        probes.add_ready_check("caches", move || {
            ready(
                cache
                    .load(Ordering::Relaxed)
                    .then_some(())
                    .ok_or("Secrets are not listed yet".to_owned()),
            )
        });
        let text = "[-]caches failed: reason withheld\n[+]ping ok\nreadyz check failed\n";
        assert_eq!(
            probes.readiness.every("readyz", false).await,
            (FAILED, text.to_owned())
        );
        assert_eq!(
            probes.health.every("healthz", false).await.0,
            StatusCode::OK
        );

        synced.store(true, Ordering::Relaxed);
        assert_eq!(
            probes.readiness.every("readyz", false).await,
            (StatusCode::OK, "ok".to_owned())
        );
        let text = "[+]caches ok\n[+]ping ok\nreadyz check passed\n";
        assert_eq!(
            probes.readiness.every("readyz", true).await,
            (StatusCode::OK, text.to_owned())
        );
    }

    #[tokio::test]
    async fn one_check_says_why_it_fails() {
        let checks = Checks::default();
        checks.add("webhook", || ready(Err("no certificate".to_owned())));
        assert_eq!(
            checks.one("webhook").await,
            (FAILED, "internal server error: no certificate\n".to_owned())
        );
        assert_eq!(checks.one("other").await.0, StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn everybody_may_read_why_a_public_check_fails() {
        let probes = Probes::default();
        probes.add_public_ready_check("caches", || ready(Err("not listed yet: Shop".to_owned())));
        probes.add_ready_check("ping", || ready(Err("a secret".to_owned())));
        let text = "[-]caches failed: not listed yet: Shop\n[-]ping failed: reason withheld\nreadyz check failed\n";
        assert_eq!(
            probes.readiness.every("readyz", false).await,
            (FAILED, text.to_owned())
        );
    }

    #[tokio::test]
    async fn a_later_check_of_the_same_name_replaces_the_earlier_one() {
        let checks = Checks::default();
        checks.add("ping", || ready(Err("not yet".to_owned())));
        checks.add("ping", || ready(Ok(())));
        assert_eq!(checks.every("healthz", false).await.0, StatusCode::OK);
    }

    #[tokio::test(start_paused = true)]
    async fn a_check_that_never_ends_fails_and_the_others_are_still_told() {
        let checks = Checks::default();
        checks.add("ping", || ready(Ok(())));
        checks.add("stuck", pending);
        let text = "[+]ping ok\n[-]stuck failed: reason withheld\nhealthz check failed\n";
        assert_eq!(
            checks.every("healthz", false).await,
            (FAILED, text.to_owned())
        );
    }
}
