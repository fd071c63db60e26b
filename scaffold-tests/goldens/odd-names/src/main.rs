// SPDX-License-Identifier: Apache-2.0

//! Entry point of the manager.

use clap::Parser;
use kb::{Flags, Manager};

/// Runs the odd-names controllers.
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
    let manager = Manager::new("odd-names", args.manager).await?;
    odd_names::controller::type_::register(&manager);
    odd_names::controller::move_::register(&manager);
    odd_names::controller::controller_::register(&manager);
    odd_names::controller::condition::register(&manager);
    odd_names::controller::task::register(&manager);
    odd_names::controller::metric::register(&manager);
    odd_names::controller::http_route2_xx::register(&manager);
    odd_names::controller::foo::register(&manager);
    odd_names::controller::a_kind_whose_name_is_so_long_that_lines_have_to_be_broken::register(
        &manager,
    );
    // +kb:scaffold:controllers
    manager.run().await?;
    Ok(())
}
