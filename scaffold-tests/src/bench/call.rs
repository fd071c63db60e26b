//! One call of a command: that it succeeded, and how long it took.

use std::{
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

/// The wall time of a command, from before it is started until it has ended.
pub(crate) fn timed(command: &mut Command) -> Result<Duration> {
    command.stderr(Stdio::piped());
    let started = Instant::now();
    let output = command.output();
    let time = started.elapsed();
    succeeded(command, output)?;
    Ok(time)
}

/// Has the system write out what earlier calls left it, so that the next call does not compete with that. Where there is no `sync`
/// command, the figures scatter more.
pub(crate) fn settle() {
    let _ = printed(&mut Command::new("sync"));
}

/// What a command printed.
pub(crate) fn printed(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output();
    let output = succeeded(command, output)?;
    let text = String::from_utf8(output.stdout).context("its output is not UTF-8")?;
    Ok(text.trim().to_owned())
}

/// The output, if the command started and succeeded; otherwise an error with what it said.
fn succeeded(command: &Command, output: std::io::Result<Output>) -> Result<Output> {
    let output = output.with_context(|| format!("cannot start {}", line(command)))?;
    ensure!(
        output.status.success(),
        "{} failed ({}):\n{}",
        line(command),
        output.status,
        String::from_utf8_lossy(&output.stderr).trim_end()
    );
    Ok(output)
}

/// A command as one would type it.
pub(crate) fn line(command: &Command) -> String {
    let words: Vec<_> = [command.get_program()]
        .into_iter()
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect();
    format!("`{}`", words.join(" "))
}
