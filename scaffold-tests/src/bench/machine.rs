//! What the figures depend on: cores, system and load. Neither host names nor paths, so that the report can be published.

use std::{env::consts, fs, thread};

/// One line about this machine.
pub(crate) fn describe() -> String {
    let cores = thread::available_parallelism().map_or_else(
        |_| "an unknown number of cores".to_owned(),
        |count| format!("{count} cores"),
    );
    let load = load().map_or_else(String::new, |load| {
        format!(", load average {load} at the start")
    });
    format!("{} {}, {cores}{load}", consts::OS, consts::ARCH)
}

/// The load average of the last minute, where the system tells it: figures of a busy machine scatter.
fn load() -> Option<String> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next().map(ToOwned::to_owned)
}
