// SPDX-License-Identifier: Apache-2.0

//! Captured logs of the operator.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::time::sleep;
use tracing::{Level, subscriber::DefaultGuard};
use tracing_subscriber::util::SubscriberInitExt;

/// Logs of the current thread.
#[derive(Clone, Default)]
pub struct Logs(Arc<Mutex<Vec<u8>>>);

impl Logs {
    /// Captures the logs until the guard is dropped.
    pub fn capture() -> (Self, DefaultGuard) {
        let logs = Self::default();
        let writer = logs.clone();
        let log = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_max_level(Level::DEBUG)
            .with_writer(move || writer.clone());
        (logs, log.set_default())
    }

    /// Counts the occurrences of a text.
    pub fn count(&self, text: &str) -> usize {
        let lines = self.0.lock().expect("not poisoned");
        String::from_utf8_lossy(&lines).matches(text).count()
    }

    /// Waits until a text is logged.
    pub async fn wait_for(&self, text: &str) {
        self.wait_for_count(text, 1).await;
    }

    /// Waits until a text is logged `count` times.
    pub async fn wait_for_count(&self, text: &str, count: usize) {
        while self.count(text) < count {
            sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Write for Logs {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut lines = self.0.lock().expect("not poisoned");
        lines.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
