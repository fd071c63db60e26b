//! The `kb-rs` command.

use std::process::ExitCode;

/// Parsing sources allocates many small objects: with glibc's allocator, `generate` spends a quarter of its time there.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    kb_rs::run(std::env::args_os())
}
