//! `kb-rs completion`

use std::process::ExitCode;

use clap_complete::{Shell, generate};

use crate::show::write_stdout;

const EXAMPLES: &str = "\
Examples:
  # bash, current session
  source <(kb-rs completion bash)

  # zsh, all sessions
  kb-rs completion zsh > \"${fpath[1]}/_kb-rs\"

  # fish, all sessions
  kb-rs completion fish > ~/.config/fish/completions/kb-rs.fish

  # PowerShell, current session
  kb-rs completion powershell | Out-String | Invoke-Expression";

/// Generate a shell completion script
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompletionArgs {
    /// Shell to generate the script for
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command.
pub(super) fn run(args: &CompletionArgs) -> ExitCode {
    let mut script = Vec::new();
    generate(args.shell, &mut super::definition(), "kb-rs", &mut script);
    write_stdout(&String::from_utf8_lossy(&script));
    ExitCode::SUCCESS
}
