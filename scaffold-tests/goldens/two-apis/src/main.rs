// SPDX-License-Identifier: MIT

//! Entry point of the manager.

use clap::Parser;
use kb::{Flags, Manager};

/// Runs the two-apis controllers.
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
    let manager = Manager::new("two-apis", args.manager).await?;
    two_apis::controller::cluster::register(&manager);
    two_apis::controller::nightly::register(&manager);
    two_apis::controller::restore_check::register(&manager);
    // +kb:scaffold:controllers
    manager.run().await?;
    Ok(())
}
