// SPDX-License-Identifier: Apache-2.0

//! Entry point of the manager.

use clap::Parser;
use kb::{Flags, Manager};

/// Runs the image controllers.
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
    let manager = Manager::new("image", args.manager).await?;
    image::controller::memcached::register(&manager);
    image::controller::warmer::register(&manager);
    // +kb:scaffold:controllers
    manager.run().await?;
    Ok(())
}
