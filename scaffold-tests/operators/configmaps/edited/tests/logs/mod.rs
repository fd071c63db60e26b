// SPDX-License-Identifier: Apache-2.0

//! The log of the operator, as a test reads it.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::time::sleep;
use tracing::{Level, subscriber::DefaultGuard};
use tracing_subscriber::util::SubscriberInitExt;

/// What is logged on the thread of a test.
#[derive(Clone, Default)]
pub struct Logs(Arc<Mutex<Vec<u8>>>);

impl Logs {
    /// Takes the log until the guard is dropped.
    pub fn capture() -> (Self, DefaultGuard) {
        let logs = Self::default();
        let writer = logs.clone();
        let log = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_max_level(Level::DEBUG)
            .with_writer(move || writer.clone());
        (logs, log.set_default())
    }

    /// How often something was logged.
    pub fn count(&self, text: &str) -> usize {
        let lines = self.0.lock().expect("no test panics while it logs");
        String::from_utf8_lossy(&lines).matches(text).count()
    }

    /// Waits until something is logged.
    pub async fn say(&self, text: &str) {
        self.say_times(text, 1).await;
    }

    /// Waits until something is logged so many times.
    pub async fn say_times(&self, text: &str, times: usize) {
        while self.count(text) < times {
            sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Write for Logs {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut lines = self.0.lock().expect("no test panics while it logs");
        lines.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
