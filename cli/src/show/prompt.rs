//! Prompts, shown on terminals only.

use std::io::{self, BufRead, IsTerminal, Write};

use super::escape::escaped;

/// Prompts on standard error and reads from standard input.
pub(crate) struct Prompt {
    interactive: bool,
}

impl Prompt {
    /// Creates a prompt, enabled if `allowed` and both streams are terminals.
    pub(crate) fn new(allowed: bool) -> Self {
        let interactive = allowed && io::stdin().is_terminal() && io::stderr().is_terminal();
        Self { interactive }
    }

    /// Prompts for yes or no; returns `default` on Enter or without a terminal.
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

    /// Prompts for a value; returns `None` without a terminal or at the end of input.
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
