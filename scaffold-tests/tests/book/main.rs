//! The book keeps to the code.
//!
//! What the reference lists is made here, from the command's own help, the manager's flags, its metrics, the markers and the files that commands
//! write, and compared with what is committed: `UPDATE_GOLDENS=1` writes it. The pages that a newcomer follows are followed here, command by command.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests read, write, start processes, say what they did, and fail"
)]

mod blocks;
mod client_go;
mod commands;
mod described;
#[path = "../../src/bin/book/directive.rs"]
mod directive;
mod files;
mod flags;
mod front_pages;
mod help;
#[path = "../../src/bin/book/item.rs"]
mod item;
mod items;
mod markers;
mod metrics;
mod newcomer;
mod page;
mod project_file;
mod terminal;
mod walk;
