//! Reports tests that cannot run here, past the test harness, which hides the output of tests that pass.
//!
//! `KB_SKIPPED_TESTS` names a file that gets one line per skipped test instead, so that a runner can count them. With `CI=true` a test must not
//! be skipped: nobody would notice.

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
    assert!(!in_ci(), "must not be skipped in CI: {reason}");
    report_skipped(reason);
}

/// Reports that the calling test is skipped, also in CI: for tests that need what is not part of the repository.
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
    // One write, so that concurrent tests do not mix their lines. Nobody is left to tell where standard error is closed.
    let _ = io::stderr().write_all(format!("SKIPPED: {reason}\n").as_bytes());
}

pub(crate) fn in_ci() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}
