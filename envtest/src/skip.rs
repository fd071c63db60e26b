//! Reports skipped tests, bypassing the test harness, which captures the output of passing tests.
//!
//! If `KB_SKIPPED_TESTS` names a file, it gets one line per skipped test, so that a runner can count them. With `CI=true`, skipping is a failure.

use std::{
    env,
    fmt::Display,
    fs::OpenOptions,
    io::{self, Write},
};

/// Reports that the calling test is skipped.
///
/// # Panics
///
/// With `CI=true` in the environment.
#[track_caller]
pub fn skip(reason: impl Display) {
    assert!(!in_ci(), "skipped in CI: {reason}");
    report_skipped(reason);
}

/// Reports that the calling test is skipped, even in CI: for tests that depend on data outside the repository.
pub fn report_skipped(reason: impl Display) {
    let reason = reason.to_string().replace('\n', " ");
    if let Some(file) = env::var_os("KB_SKIPPED_TESTS") {
        let appended = OpenOptions::new().append(true).create(true).open(file);
        if appended
            .and_then(|mut file| file.write_all(format!("{reason}\n").as_bytes()))
            .is_ok()
        {
            return;
        }
    }
    // A single write, so that lines of concurrent tests do not mix.
    let _ = io::stderr().write_all(format!("SKIPPED: {reason}\n").as_bytes());
}

pub(crate) fn in_ci() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}
