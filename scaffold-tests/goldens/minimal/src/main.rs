// SPDX-License-Identifier: Apache-2.0

//! Starts the controllers, and what stands around them: leader election, probes, metrics, shutdown.

use clap::Parser;
use kb::{Flags, Manager};

/// The manager of minimal.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    manager: Flags,
}

// What waits for the API server needs one thread: more take more CPU and memory for the same. Raise it if reconciling computes.
#[tokio::main(worker_threads = 1)]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let manager = Manager::new("minimal", args.manager).await?;
    // +kb:scaffold:controllers
    manager.run().await?;
    Ok(())
}
