//! Blocking tasks that graceful shutdown waits for.
//!
//! tokio neither reports running blocking tasks nor can it cancel them. A closure whose reconcile was canceled would outlive the shutdown and
//! run concurrently with the next leader.

use std::sync::{Mutex, PoisonError};

use tokio::{
    runtime::{Handle, Id},
    task::JoinHandle,
};
use tokio_util::task::TaskTracker;

/// Running closures by tokio runtime: a manager only waits for those of its own runtime, which matters in tests.
static RUNNING: Mutex<Vec<(Id, TaskTracker)>> = Mutex::new(Vec::new());

/// Runs a closure on a thread where blocking is acceptable, like [`tokio::task::spawn_blocking`].
///
/// On shutdown, [`Manager::run`](crate::Manager::run) waits for the closure within `--grace-period`, even if the handle was dropped, and
/// releases the lease only after the closure has returned. A closure cannot be canceled: if leader election is lost, the process exits
/// before the lease expires.
///
/// # Panics
///
/// Panics outside of a tokio runtime.
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
    // A closed tracker still accepts tasks; `wait` returns when it is closed and empty.
    tracker.close();
    running.push((id, tracker.clone()));
    tracker
}
