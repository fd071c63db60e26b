//! Graceful shutdown on SIGTERM, which Kubernetes sends, and SIGINT (Ctrl-C).
//!
//! The first signal requests a graceful shutdown, the second an immediate one. The tokens only signal: a [`Manager`](crate::Manager) waits for
//! them, and limits the drain by `--grace-period`.

use std::io;

use tokio_util::sync::CancellationToken;

/// Shutdown tokens. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    /// Canceled by the first signal: start no reconciles, finish running ones, release the lease.
    pub drain: CancellationToken,
    /// Canceled by the second signal: return immediately.
    pub abort: CancellationToken,
}

impl Shutdown {
    /// Installs signal handlers for the rest of the process.
    ///
    /// # Errors
    ///
    /// Returns an error if a handler cannot be installed.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime.
    pub fn on_signals() -> io::Result<Self> {
        let mut signals = Signals::listen()?;
        let shutdown = Self::default();
        let tokens = shutdown.clone();
        tokio::spawn(async move {
            let first = signals.next().await;
            tracing::info!(
                signal = first,
                "received signal, shutting down; send a second signal to abort"
            );
            tokens.drain.cancel();
            let second = signals.next().await;
            tracing::warn!(signal = second, "received second signal, aborting");
            tokens.abort.cancel();
        });
        Ok(shutdown)
    }
}

#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}

#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn listen() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    async fn next(&mut self) -> &'static str {
        self.0.recv().await;
        "Ctrl-C"
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::*;

    /// Sends a signal to this process, which is the parent of the shell.
    fn send(signal: &str) {
        let script = format!("kill -{signal} $PPID");
        let sent = Command::new("sh").args(["-c", &script]).status();
        assert!(sent.expect("sh is installed").success());
    }

    // A single test, because signals affect the whole process.
    #[tokio::test]
    async fn the_first_signal_drains_and_the_second_aborts() {
        let shutdown = Shutdown::on_signals().unwrap();
        assert!(!shutdown.drain.is_cancelled());
        send("TERM");
        shutdown.drain.cancelled().await;
        assert!(!shutdown.abort.is_cancelled());
        send("INT");
        shutdown.abort.cancelled().await;
    }
}
