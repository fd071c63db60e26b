//! kb-rs, built with these tests, which run it as a user does.
//!
//! `--stop-at N` as its first arguments aborts it at the Nth file operation, as if it were killed.

use std::{ffi::OsString, process};

fn main() -> process::ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.get(1).is_none_or(|first| first != "--stop-at") {
        return kb_rs::run(arguments);
    }
    let stop_at: usize = arguments
        .get(2)
        .and_then(|number| number.to_str())
        .and_then(|number| number.parse().ok())
        .expect("--stop-at is followed by a number");
    arguments.drain(1..3);
    let mut steps = 0;
    kb_rs::run_observed(arguments, &mut |_| {
        steps += 1;
        if steps == stop_at {
            // Without unwinding, dropping or flushing.
            process::abort();
        }
    })
}
