//! Questions to the user, asked only where there is one: on a terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use super::escape::escaped;

/// Asks on standard error, reads from standard input.
pub(crate) struct Prompt {
    interactive: bool,
}

impl Prompt {
    /// Asks only if both ends are a terminal and `allowed`.
    pub(crate) fn new(allowed: bool) -> Self {
        let interactive = allowed && io::stdin().is_terminal() && io::stderr().is_terminal();
        Self { interactive }
    }

    /// Asks for a yes or no; Enter, and the absence of a terminal, mean `default`.
    pub(crate) fn confirm(&self, question: &str, default: bool) -> bool {
        let choices = if default { "Y/n" } else { "y/N" };
        loop {
            let Some(answer) = self.ask(&format!("{question} [{choices}] ")) else {
                return default;
            };
            match answer.to_lowercase().as_str() {
                "" => return default,
                "y" | "yes" => return true,
                "n" | "no" => return false,
                _ => {}
            }
        }
    }

    /// Asks for a value; none without a terminal, or at the end of the input.
    pub(crate) fn value(&self, question: &str) -> Option<String> {
        self.ask(&format!("{question}: "))
            .filter(|answer| !answer.is_empty())
    }

    fn ask(&self, question: &str) -> Option<String> {
        if !self.interactive {
            return None;
        }
        let mut stderr = io::stderr().lock();
        write!(stderr, "{}", escaped(question))
            .and_then(|()| stderr.flush())
            .ok()?;
        let mut answer = String::new();
        let read = io::stdin().lock().read_line(&mut answer).ok()?;
        (read > 0).then(|| answer.trim().to_owned())
    }
}
