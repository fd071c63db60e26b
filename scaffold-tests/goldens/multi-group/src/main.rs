// SPDX-License-Identifier: Apache-2.0

//! Entry point of the manager.

use clap::Parser;
use kb::{Flags, Manager};

/// Runs the multi-group controllers.
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
    let manager = Manager::new("multi-group", args.manager).await?;
    multi_group::controller::batch::app_service::register(&manager);
    multi_group::controller::network::network_policy::register(&manager);
    multi_group::controller::core_::config_map::register(&manager);
    multi_group::controller::batch::batch_::register(&manager);
    // +kb:scaffold:controllers
    manager.run().await?;
    Ok(())
}
