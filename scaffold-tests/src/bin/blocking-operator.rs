//! An operator with a blocking reconciler, for `tests/operator_faults/blocking_leaders.rs`.
//!
//! For the `ConfigMap` named `busy` it works for 20 seconds and appends a timestamp in microseconds to a file every 10 milliseconds.
#![allow(
    clippy::disallowed_methods,
    reason = "it blocks, and uses the clock that two processes share"
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
    /// Thread on which it works.
    #[arg(long)]
    thread: WorkerThread,
    /// File for the timestamps.
    #[arg(long)]
    file: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum WorkerThread {
    /// The thread of the runtime.
    Runtime,
    /// A thread of `spawn_blocking`.
    Blocking,
}

struct Context {
    thread: WorkerThread,
    file: PathBuf,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), kb::manager::Error> {
    let Args {
        manager,
        thread,
        file,
    } = Args::parse();
    let manager = Manager::new("blocking-operator", manager).await?;
    let controller = Controller::new("blocking", &manager.store::<ConfigMap>());
    manager.add_controller(controller, reconcile, Context { thread, file });
    manager.run().await
}

async fn reconcile(object: Arc<ConfigMap>, context: Arc<Context>) -> Result<Action, Error> {
    if object.metadata.name.as_deref() == Some("busy") {
        match context.thread {
            WorkerThread::Runtime => work(&context)?,
            WorkerThread::Blocking => tokio::task::spawn_blocking(move || work(&context)).await??,
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
