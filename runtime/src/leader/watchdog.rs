//! Ends the process shortly before its lease expires, if work may still be running.
//!
//! Everything else that stops work needs the tokio runtime. Work that blocks the thread of the runtime also blocks the elector, and a closure of
//! `spawn_blocking` runs until it returns: even dropping the runtime waits for it. So the watchdog is an OS thread that needs nothing of the
//! runtime. The elector sets its deadline with every renewal, and stands it down once the work has ended.
//!
//! Dropping the [`Watchdog`] does not stop an armed thread: an elector that is gone renews nothing, and the work may still be there.

use std::{
    io::{self, Write},
    process,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use super::moment::Moment;

/// `EX_TEMPFAIL` of sysexits.h: the same program may succeed when it is started again.
pub(super) const EXIT_CODE: i32 = 75;

/// How long one way to exit may take before the next one is tried.
const PATIENCE: Duration = Duration::from_millis(300);

/// How long the thread sleeps at most. The timer of a condition variable stands still while the machine is suspended.
const LOOK: Duration = Duration::from_secs(1);

const MESSAGE: &str = "lease about to expire and work may still be running, exiting";

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
    /// No lease yet, and so no work.
    Idle,
    /// The process must be gone by then.
    Armed(Moment),
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
        let watched = Arc::clone(&shared);
        thread::Builder::new()
            .name("lease-watchdog".to_owned())
            .spawn(move || {
                if watched.wait() {
                    expired();
                }
            })?;
        Ok(Self(shared))
    }

    /// Sets the deadline, in place of the last one.
    pub(super) fn arm(&self, deadline: Moment) {
        self.0.set(State::Armed(deadline));
    }

    /// Ends the thread: no work is left.
    pub(super) fn stand_down(&self) {
        self.0.set(State::Done);
    }

    /// What tests look at, after the watchdog is gone as well.
    #[cfg(test)]
    pub(super) fn watched(&self) -> Watched {
        Watched(Arc::clone(&self.0))
    }
}

#[cfg(test)]
pub(super) struct Watched(Arc<Shared>);

#[cfg(test)]
impl Watched {
    pub(super) fn deadline(&self) -> Option<Moment> {
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
            self.stand_down();
        }
    }
}

impl Shared {
    /// Nothing panics while it is locked.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, state: State) {
        *self.state() = state;
        self.changed.notify_one();
    }

    /// Waits for the deadline; returns false if the work ended before.
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
                    let left = deadline.left();
                    if left.is_zero() {
                        return true;
                    }
                    let waited = self.changed.wait_timeout(state, left.min(LOOK));
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            }
        }
    }
}

/// Exits the process with [`EXIT_CODE`], and says why.
///
/// The work that does not end may hold the log, standard error, or what exit handlers wait for. So each is tried on a thread of its own, and in the end
/// the process aborts.
#[expect(
    clippy::disallowed_methods,
    reason = "nothing can be drained any more, and this thread is not the runtime's"
)]
pub(super) fn exit_process() {
    for say in [log, print] {
        let exiting = thread::Builder::new().spawn(move || {
            say();
            process::exit(EXIT_CODE);
        });
        if exiting.is_ok() {
            thread::sleep(PATIENCE);
        }
    }
    process::abort();
}

fn log() {
    tracing::error!(exit_code = EXIT_CODE, "{MESSAGE}");
}

fn print() {
    // One write; where it fails there is nobody to tell.
    let _ = io::stderr().write_all(format!("{MESSAGE}\n").as_bytes());
}
