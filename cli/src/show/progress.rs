//! A bar for what takes long, on a terminal; nothing elsewhere.

use std::cell::Cell;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar. It goes when it is dropped.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    has_begun: Cell<bool>,
}

impl Bar {
    /// One that is seen only if `visible`, and only on a terminal.
    pub(super) fn new(visible: bool) -> Self {
        let target = if visible {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        Self {
            bar: ProgressBar::with_draw_target(None, target),
            has_begun: Cell::new(false),
        }
    }

    /// How many bytes there are, and will be.
    pub(crate) fn at(&self, received: u64, total: Option<u64>) {
        self.bar.set_position(received);
        if !self.has_begun.replace(true) {
            self.bar.set_style(style(match total {
                Some(_) => "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
                None => "{bytes}, {bytes_per_sec}",
            }));
            self.bar.set_length(total.unwrap_or_default());
            // What came earlier says nothing of the speed.
            self.bar.reset_eta();
        }
    }

    /// What is done now, in words.
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
