//! Entry point of the manager.

use clap::Parser;
use kb::{Flags, Manager, namespaces::Namespaces};

/// Runs the namespaced controllers.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    manager: Flags,
}

// Reconcilers mostly wait for the API server, so one thread is enough. For CPU-bound reconcilers,
// use `#[tokio::main]` with tokio's `rt-multi-thread` feature.
#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    anyhow::ensure!(
        args.manager.watch_namespace != Namespaces::All,
        "WATCH_NAMESPACE is empty: set it to the namespaces to watch, separated by commas"
    );
    let manager = Manager::new("namespaced", args.manager).await?;
    namespaced::controller::app_service::register(&manager);
    // +kb:scaffold:controllers
    manager.run().await?;
    Ok(())
}
