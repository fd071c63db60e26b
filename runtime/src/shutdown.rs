//! When to end: SIGTERM, which Kubernetes sends, and SIGINT, which is Ctrl-C.
//!
//! The first signal asks to drain, the second one to leave everything and go. Nothing ends here: the manager waits on both
//! tokens, and returns. How long draining may take is not decided here either.

use std::io;

use tokio_util::sync::CancellationToken;

/// What signals ask for. Clones ask the same.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    /// Cancelled by the first signal: begin nothing new, finish what runs, give the lease back.
    pub drain: CancellationToken,
    /// Cancelled by the second signal, from a user who does not want to wait: return at once.
    pub abort: CancellationToken,
}

impl Shutdown {
    /// Listens for signals from this call on, for the rest of the process. It must be called inside a tokio runtime.
    pub fn on_signals() -> io::Result<Self> {
        let mut signals = Signals::listen()?;
        let shutdown = Self::default();
        let told = shutdown.clone();
        tokio::spawn(async move {
            let first = signals.next().await;
            tracing::info!(
                signal = first,
                "Shutting down. A second signal ends the process at once"
            );
            told.drain.cancel();
            let second = signals.next().await;
            tracing::warn!(signal = second, "Ending at once");
            told.abort.cancel();
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
        assert!(sent.expect("there is a shell").success());
    }

    // One test: signals are for the whole process.
    #[tokio::test]
    async fn the_first_signal_drains_and_the_second_ends() {
        let shutdown = Shutdown::on_signals().unwrap();
        assert!(!shutdown.drain.is_cancelled());
        send("TERM");
        shutdown.drain.cancelled().await;
        assert!(!shutdown.abort.is_cancelled());
        send("INT");
        shutdown.abort.cancelled().await;
    }
}
