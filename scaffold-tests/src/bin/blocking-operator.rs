//! An operator whose reconcile does not yield, for `tests/operator_faults/blocked.rs`.
//!
//! For the `ConfigMap` named `busy` it works for 20 seconds, and says so in a file: one line with the time every 10 milliseconds, in microseconds.
#![allow(
    clippy::disallowed_methods,
    reason = "it blocks, and looks at the clock that two processes share"
)]

use std::{
    fs::OpenOptions,
    io::Write,
    path::PathBuf,
    sync::Arc,
    thread,
    time::{Duration, Instant, SystemTime},
};

use clap::{Parser, ValueEnum};
use kb::{
    Flags, Manager,
    controller::{Action, Controller, Error},
    k8s_openapi::api::core::v1::ConfigMap,
};

const WORK: Duration = Duration::from_secs(20);
const STEP: Duration = Duration::from_millis(10);

#[derive(Parser)]
struct Args {
    #[command(flatten)]
    manager: Flags,
    /// Where the work is done.
    #[arg(long)]
    place: Place,
    /// The file that the work is written to.
    #[arg(long)]
    file: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Place {
    /// On the thread of the runtime.
    Runtime,
    /// In tokio's `spawn_blocking`.
    Blocking,
}

struct Context {
    place: Place,
    file: PathBuf,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), kb::manager::Error> {
    let Args {
        manager,
        place,
        file,
    } = Args::parse();
    let manager = Manager::new("blocking-operator", manager).await?;
    let controller = Controller::new("blocking", &manager.store::<ConfigMap>());
    manager.add_controller(controller, reconcile, Context { place, file });
    manager.run().await
}

async fn reconcile(object: Arc<ConfigMap>, context: Arc<Context>) -> Result<Action, Error> {
    if object.metadata.name.as_deref() == Some("busy") {
        match context.place {
            Place::Runtime => work(&context)?,
            Place::Blocking => tokio::task::spawn_blocking(move || work(&context)).await??,
        }
    }
    Ok(Action::await_change())
}

fn work(context: &Context) -> std::io::Result<()> {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&context.file)?;
    let start = Instant::now();
    while start.elapsed() < WORK {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        writeln!(file, "{}", now.unwrap_or_default().as_micros())?;
        thread::sleep(STEP);
    }
    Ok(())
}
