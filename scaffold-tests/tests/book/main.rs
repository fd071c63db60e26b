//! Tests of the book.
//!
//! Code blocks, links to rustdoc and the reference are generated from the code and compared with the committed pages; `UPDATE_GOLDENS=1` rewrites
//! them. The quick start and the tutorials are executed, command by command.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests read and write files, start processes and print"
)]

mod api_links;
mod blocks;
mod client_go;
mod code;
mod commands;
mod descriptions;
mod diagnostics;
mod files;
mod flags;
mod front_pages;
mod help;
mod item;
mod items;
mod markers;
mod metrics;
mod newcomer;
mod page;
mod project_file;
mod terminal;
mod walk;
