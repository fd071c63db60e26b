// SPDX-License-Identifier: Apache-2.0

//! Starts the controllers, and what stands around them: leader election, probes, metrics, shutdown.

use clap::Parser;
use kb::{Flags, Manager};

/// The manager of owns.
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
    let manager = Manager::new("owns", args.manager).await?;
    owns::controller::app_service::start(&manager);
    owns::controller::platform::start(&manager);
    // +kb:scaffold:controllers
    manager.run().await?;
    Ok(())
}
