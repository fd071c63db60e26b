//! Progress bars, shown on terminals only.

use std::cell::Cell;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar, cleared on drop.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    has_started: Cell<bool>,
}

impl Bar {
    /// Creates a bar, shown if `visible` and on a terminal.
    pub(super) fn new(visible: bool) -> Self {
        let target = if visible {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        Self {
            bar: ProgressBar::with_draw_target(None, target),
            has_started: Cell::new(false),
        }
    }

    /// Sets the received and total bytes.
    pub(crate) fn at(&self, received: u64, total: Option<u64>) {
        self.bar.set_position(received);
        if !self.has_started.replace(true) {
            self.bar.set_style(style(match total {
                Some(_) => "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
                None => "{bytes}, {bytes_per_sec}",
            }));
            self.bar.set_length(total.unwrap_or_default());
            // Bytes of an earlier download do not count for the speed.
            self.bar.reset_eta();
        }
    }

    /// Replaces the bar with a message.
    pub(crate) fn say(&self, text: &'static str) {
        self.bar.set_style(style("{msg}"));
        self.bar.set_message(text);
        self.bar.force_draw();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
