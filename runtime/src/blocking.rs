//! Blocking work that a graceful shutdown waits for.
//!
//! tokio does not say which of its blocking threads are busy, and cannot stop them. A closure whose reconcile gave up waiting would so outlive the
//! drain, and run beside the next leader.

use std::sync::{Mutex, PoisonError};

use tokio::{
    runtime::{Handle, Id},
    task::JoinHandle,
};
use tokio_util::task::TaskTracker;

/// The closures that run, by their runtime: managers of other runtimes, such as those of other tests, do not wait for them.
static RUNNING: Mutex<Vec<(Id, TaskTracker)>> = Mutex::new(Vec::new());

/// Runs a closure on a thread where blocking is fine, like [`tokio::task::spawn_blocking`].
///
/// [`Manager::run`](crate::Manager::run) waits for it on shutdown, within `--grace-period`, even if nobody awaits the handle any more. So the lease is not
/// released before the closure has returned. Nothing can stop the closure: if the lease is lost, the process exits before the lease expires.
///
/// # Panics
///
/// Outside of a tokio runtime.
pub fn spawn_blocking<F, T>(work: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    tracker().spawn_blocking(work)
}

/// Waits until no closure of this runtime runs.
pub(crate) async fn finished() {
    tracker().wait().await;
}

fn tracker() -> TaskTracker {
    let id = Handle::current().id();
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.retain(|(runtime, tracker)| *runtime == id || !tracker.is_empty());
    if let Some((_, tracker)) = running.iter().find(|(runtime, _)| *runtime == id) {
        return tracker.clone();
    }
    let tracker = TaskTracker::new();
    // A closed tracker takes tasks as well; waiting for it means waiting until it is empty.
    tracker.close();
    running.push((id, tracker.clone()));
    tracker
}
