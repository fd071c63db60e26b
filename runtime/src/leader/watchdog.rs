//! Exits the process shortly before its lease expires, if work may still be running.
//!
//! Everything else that stops work depends on the tokio runtime. Work that blocks the runtime also blocks the elector, and a closure in
//! `spawn_blocking` runs until it returns: even dropping the runtime waits for it. So the watchdog is a plain OS thread. The elector sets its
//! deadline with every renewal and disarms it once the work has ended.
//!
//! Dropping the [`Watchdog`] does not disarm it: without the elector nothing renews the lease, and work may still be running.

use std::{
    io::{self, Write},
    process,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use super::boot_time::BootInstant;

/// `EX_TEMPFAIL` of sysexits.h: a restart may succeed.
pub(super) const EXIT_CODE: i32 = 75;

/// Time for one way to exit before the next one is tried.
const EXIT_TIMEOUT: Duration = Duration::from_millis(300);

/// Maximum sleep between checks: the timer of a condition variable stops while the machine is suspended.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

pub(super) const MESSAGE: &str = "lease about to expire and work may still be running, exiting";

/// Handle of the watchdog thread.
#[derive(Debug)]
pub(crate) struct Watchdog(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    /// No lease yet, hence no work.
    Idle,
    /// The process must exit by then.
    Armed(BootInstant),
    /// The work has ended.
    Done,
}

impl Watchdog {
    /// Starts the thread, which calls `expired` at most once.
    pub(crate) fn start(expired: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State::Idle),
            changed: Condvar::new(),
        });
        let thread_shared = Arc::clone(&shared);
        thread::Builder::new()
            .name("lease-watchdog".to_owned())
            .spawn(move || {
                if thread_shared.wait() {
                    expired();
                }
            })?;
        Ok(Self(shared))
    }

    /// Sets or replaces the deadline.
    pub(super) fn arm(&self, deadline: BootInstant) {
        self.0.set(State::Armed(deadline));
    }

    /// Ends the thread, once no work is left.
    pub(super) fn disarm(&self) {
        self.0.set(State::Done);
    }

    /// State for tests; outlives the watchdog.
    #[cfg(test)]
    pub(super) fn test_state(&self) -> WatchdogState {
        WatchdogState(Arc::clone(&self.0))
    }
}

#[cfg(test)]
pub(super) struct WatchdogState(Arc<Shared>);

#[cfg(test)]
impl WatchdogState {
    pub(super) fn deadline(&self) -> Option<BootInstant> {
        match *self.0.state() {
            State::Armed(deadline) => Some(deadline),
            State::Idle | State::Done => None,
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        let is_idle = *self.0.state() == State::Idle;
        if is_idle {
            self.disarm();
        }
    }
}

impl Shared {
    // Nothing panics while the lock is held.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, state: State) {
        *self.state() = state;
        self.changed.notify_one();
    }

    /// Waits for the deadline. Returns false if the watchdog is disarmed first.
    fn wait(&self) -> bool {
        let mut state = self.state();
        loop {
            state = match *state {
                State::Done => return false,
                State::Idle => self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner),
                State::Armed(deadline) => {
                    let remaining = deadline.remaining();
                    if remaining.is_zero() {
                        return true;
                    }
                    let result = self
                        .changed
                        .wait_timeout(state, remaining.min(CHECK_INTERVAL));
                    result.unwrap_or_else(PoisonError::into_inner).0
                }
            }
        }
    }
}

/// Logs the reason and exits the process with [`EXIT_CODE`].
///
/// The running work may hold the lock of the log, of standard error, or of something that exit handlers wait for. So each way is tried on a
/// separate thread, and finally the process aborts.
#[expect(
    clippy::disallowed_methods,
    reason = "too late to drain, and this is not a thread of the runtime"
)]
pub(super) fn exit_process() {
    for report in [log, print] {
        let exit_thread = thread::Builder::new().spawn(move || {
            report();
            process::exit(EXIT_CODE);
        });
        if exit_thread.is_ok() {
            thread::sleep(EXIT_TIMEOUT);
        }
    }
    process::abort();
}

fn log() {
    tracing::error!(exit_code = EXIT_CODE, "{MESSAGE}");
}

fn print() {
    // A single write; a failure cannot be reported anywhere.
    let _ = io::stderr().write_all(format!("{MESSAGE}\n").as_bytes());
}
