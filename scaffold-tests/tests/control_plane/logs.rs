//! Captures the log of a test's thread.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use tracing_subscriber::{EnvFilter, fmt, util::SubscriberInitExt};

/// The captured log.
#[derive(Clone, Default)]
pub(crate) struct Logs(Arc<Mutex<Vec<u8>>>);

impl Logs {
    /// Captures the log of this thread until the guard is dropped.
    pub(crate) fn capture() -> (Self, impl Drop) {
        let logs = Self::default();
        let writer = logs.clone();
        let subscriber = fmt()
            .with_ansi(false)
            .with_env_filter(EnvFilter::new("info"))
            .with_writer(move || writer.clone())
            .finish();
        (logs, subscriber.set_default())
    }

    pub(crate) fn contains(&self, text: &str) -> bool {
        self.text().contains(text)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl Write for Logs {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
