// SPDX-License-Identifier: Apache-2.0

//! Starts the controllers, and what stands around them: leader election, probes, metrics, shutdown.

use clap::Parser;
use kb::{Flags, Manager};

/// The manager of external.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    manager: Flags,
}

// What waits for the API server needs one thread: more take more CPU and memory for the same. Raise it if reconciling computes.
#[tokio::main(worker_threads = 1)]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let manager = Manager::new("external", args.manager).await?;
    external::controller::widget::start(&manager);
    external::controller::order::start(&manager);
    // +kb:scaffold:controllers
    manager.run().await?;
    Ok(())
}
