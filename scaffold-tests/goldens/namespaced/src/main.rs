//! Starts the controllers, and what stands around them: leader election, probes, metrics, shutdown.

use clap::Parser;
use kb::{Flags, Manager, namespaces::Namespaces};

/// The manager of namespaced.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    manager: Flags,
}

// What waits for the API server needs one thread: more take more CPU and memory for the same. If reconciling computes, take
// `#[tokio::main]` instead, with tokio's feature `rt-multi-thread`.
#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    anyhow::ensure!(
        args.manager.watch_namespace != Namespaces::All,
        "WATCH_NAMESPACE is empty: it names the namespaces that the manager may see"
    );
    let manager = Manager::new("namespaced", args.manager).await?;
    namespaced::controller::app_service::start(&manager);
    // +kb:scaffold:controllers
    manager.run().await?;
    Ok(())
}
