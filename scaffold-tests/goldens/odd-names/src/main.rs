// SPDX-License-Identifier: Apache-2.0

//! Starts the controllers, and what stands around them: leader election, probes, metrics, shutdown.

use clap::Parser;
use kb::{Flags, Manager};

/// The manager of odd-names.
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
    let manager = Manager::new("odd-names", args.manager).await?;
    odd_names::controller::type_::start(&manager);
    odd_names::controller::move_::start(&manager);
    odd_names::controller::controller_::start(&manager);
    odd_names::controller::condition::start(&manager);
    odd_names::controller::task::start(&manager);
    odd_names::controller::metric::start(&manager);
    odd_names::controller::http_route2_xx::start(&manager);
    odd_names::controller::a_kind_whose_name_is_so_long_that_lines_have_to_be_broken::start(
        &manager,
    );
    // +kb:scaffold:controllers
    manager.run().await?;
    Ok(())
}
