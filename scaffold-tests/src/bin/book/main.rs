//! What `make book` needs beside mdBook itself.
//!
//! `book code` is a preprocessor of mdBook: it puts tested code into the pages, see [`directive`]. `book links FOLDER` checks every link of
//! the built book, to pages, to headings and to files. Links that leave the book are not followed: the network is not asked.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a tool of this repository reads files and prints"
)]

mod directive;
mod item;
mod links;
mod preprocessor;

use std::{env, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["code"] => preprocessor::run(),
        ["code", "supports", _] => Ok(()),
        ["links", folder] => links::check(Path::new(folder)),
        _ => Err(anyhow::anyhow!("use: book code | book links FOLDER")),
    };
    if let Err(error) = result {
        eprintln!("book: {error:#}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
