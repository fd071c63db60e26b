//! The `kb-rs` command.

use std::process::ExitCode;

/// Syntax trees are many small pieces: glibc's allocator takes a quarter of the time of `generate`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    kb_rs::run(std::env::args_os())
}
