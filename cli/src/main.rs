//! The `kb-rs` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    kb_rs::run(std::env::args_os())
}
