//! Starts the controllers and the server for probes and metrics, and stops them together.

use std::{collections::BTreeSet, io::IsTerminal, net::SocketAddr, time::Duration};

use anyhow::{Context as _, anyhow};
use clap::Parser;
use kube::Client;
use tokio::{net::TcpListener, task::JoinSet, time::timeout};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};
use tracing_subscriber::EnvFilter;

use namespaced::controller::Context;
use namespaced::server::{self, Metrics};

/// How long the work under way may go on after a stop: less than the pod's grace period.
const GRACE: Duration = Duration::from_secs(10);

/// The manager of namespaced.
#[derive(Parser)]
struct Args {
    /// Where /healthz, /readyz and /metrics are served.
    #[arg(long, env, default_value = "127.0.0.1:8080")]
    bind_address: SocketAddr,
    /// What is logged, for example `info,kube=debug`.
    #[arg(long, env = "RUST_LOG", default_value = "info")]
    log: EnvFilter,
    /// The namespaces to watch, separated by commas.
    #[arg(long, env, value_delimiter = ',', required = true, value_parser = namespace)]
    watch_namespace: Vec<String>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let log = tracing_subscriber::fmt().with_env_filter(args.log);
    if std::io::stdout().is_terminal() {
        log.init();
    } else {
        log.json().with_current_span(false).init();
    }

    let shutdown = CancellationToken::new();
    cancel_on_signal(shutdown.clone())?;
    let Some(client) = shutdown.run_until_cancelled(connect()).await else {
        return Ok(());
    };
    let context = Context {
        client: client?,
        metrics: Metrics::default(),
        shutdown: shutdown.clone(),
    };
    let listener = TcpListener::bind(args.bind_address)
        .await
        .with_context(|| format!("cannot listen on {}", args.bind_address))?;
    let mut tasks = JoinSet::new();
    tasks.spawn(server::run(listener, context.clone()));
    for namespace in &BTreeSet::from_iter(args.watch_namespace) {
        info!(namespace, "watching");
        namespaced::controller::app_service::start(&context, namespace, &mut tasks);
        // +kb:scaffold:controllers
    }

    // Nothing ends by itself: a task that does takes the operator with it, and Kubernetes starts it again.
    let outcome = tokio::select! {
        biased;
        () = shutdown.cancelled() => Ok(()),
        ended = tasks.join_next() => Err(match ended {
            Some(Ok(Err(error))) => error,
            Some(Err(panic)) => panic.into(),
            _ => anyhow!("a task ended by itself"),
        }),
    };
    info!("stopping");
    shutdown.cancel();
    // A controller that never saw its objects does not end (kube 5), and neither does a request that is half sent.
    let drained = timeout(GRACE, async { while tasks.join_next().await.is_some() {} });
    if drained.await.is_err() {
        warn!("cutting off what still runs");
    }
    outcome
}

async fn connect() -> anyhow::Result<Client> {
    let client = Client::try_default()
        .await
        .context("no Kubernetes cluster is configured")?;
    let kubernetes = client
        .apiserver_version()
        .await
        .context("the Kubernetes API does not answer")?
        .git_version;
    info!(kubernetes, "starting");
    Ok(client)
}

/// Cancels at Ctrl-C, or at SIGTERM, which is what the kubelet sends. It listens from the call on.
fn cancel_on_signal(shutdown: CancellationToken) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        tokio::spawn(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            shutdown.cancel();
        });
    }
    #[cfg(not(unix))]
    tokio::spawn(async move {
        let _ = tokio::signal::ctrl_c().await;
        shutdown.cancel();
    });
    Ok(())
}

/// An empty name would stand for all namespaces.
fn namespace(text: &str) -> Result<String, &'static str> {
    match text.trim() {
        "" => Err("the name of a namespace is empty"),
        name => Ok(name.to_owned()),
    }
}
