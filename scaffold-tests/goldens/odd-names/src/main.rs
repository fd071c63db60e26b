// SPDX-License-Identifier: Apache-2.0

//! Starts the controllers and the server for probes and metrics, and stops them together.

use std::net::SocketAddr;

use anyhow::Context as _;
use clap::Parser;
use kube::Client;
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::sync::CancellationToken;
use tracing::info;
use tracing_subscriber::EnvFilter;

use odd_names::controller::Context;
use odd_names::server::{self, Metrics};

/// The manager of odd-names.
#[derive(Parser)]
struct Args {
    /// Where /healthz, /readyz and /metrics are served.
    #[arg(long, env, default_value = "0.0.0.0:8080")]
    bind_address: SocketAddr,
    /// What is logged, for example `info,kube=debug`.
    #[arg(long, env = "RUST_LOG", default_value = "info")]
    log: EnvFilter,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    tracing_subscriber::fmt()
        .json()
        .with_env_filter(args.log)
        .init();

    let client = Client::try_default()
        .await
        .context("no Kubernetes cluster is configured")?;
    let kubernetes = client
        .apiserver_version()
        .await
        .context("the Kubernetes API does not answer")?
        .git_version;
    info!(kubernetes, "starting");

    let context = Context {
        client,
        metrics: Metrics::default(),
        shutdown: CancellationToken::new(),
    };
    let listener = TcpListener::bind(args.bind_address)
        .await
        .with_context(|| format!("cannot listen on {}", args.bind_address))?;
    let mut tasks = JoinSet::new();
    tasks.spawn(server::run(listener, context.clone()));
    odd_names::controller::type_::start(&context, &mut tasks);
    odd_names::controller::move_::start(&context, &mut tasks);
    odd_names::controller::controller_::start(&context, &mut tasks);
    odd_names::controller::condition::start(&context, &mut tasks);
    odd_names::controller::task::start(&context, &mut tasks);
    odd_names::controller::metric::start(&context, &mut tasks);
    odd_names::controller::http_route2_xx::start(&context, &mut tasks);
    odd_names::controller::a_kind_whose_name_is_so_long_that_lines_have_to_be_broken::start(
        &context, &mut tasks,
    );
    // +kb:scaffold:controllers

    // Nothing ends by itself: a task that does takes the operator with it, and Kubernetes starts it again.
    tokio::select! {
        stop = stop_requested() => stop?,
        ended = tasks.join_next() => ended.context("nothing runs")???,
    }
    info!("stopping");
    context.shutdown.cancel();
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    Ok(())
}

/// Waits for Ctrl-C or for SIGTERM, which is what the kubelet sends.
async fn stop_requested() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            _ = terminate.recv() => Ok(()),
            interrupt = tokio::signal::ctrl_c() => interrupt,
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
