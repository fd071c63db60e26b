//! Code blocks copied from tested sources.
//!
//! A comment above a code block names its source, relative to the repository root:
//!
//! - `<!-- code: PATH -->`: the whole file without its license header;
//! - `<!-- code: PATH fn reconcile, struct Context -->`: items of the file, with their attributes and doc comments;
//! - `<!-- commands: PATH -->`: a list of kb-rs commands.
//!
//! mdBook's own `{{#include}}` does not render on GitHub.

use std::{fmt::Write as _, fs, path::Path};

use crate::{
    item,
    page::{self, repository},
};

/// Source of the code block below it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Source<'a> {
    Code { path: &'a str, items: Vec<&'a str> },
    Commands { path: &'a str },
}

impl<'a> Source<'a> {
    /// Parses the comment above a code block.
    pub(crate) fn parse(line: &'a str) -> Option<Self> {
        let comment = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
        let (kind, arguments) = comment.split_once(": ")?;
        let (path, items) = arguments.split_once(' ').unwrap_or((arguments, ""));
        match kind {
            "code" => Some(Self::Code {
                path,
                items: items.split(", ").filter(|item| !item.is_empty()).collect(),
            }),
            "commands" => Some(Self::Commands { path }),
            _ => None,
        }
    }

    fn read(&self, repository: &Path) -> String {
        let read = |path: &str| fs::read_to_string(repository.join(path)).expect(path);
        match self {
            Self::Commands { path } => commands(&read(path)),
            Self::Code { path, items } if items.is_empty() => {
                without_header(&read(path)).to_owned()
            }
            Self::Code { path, items } => {
                let source = read(path);
                let find = |name: &&str| {
                    item::find(&source, name).unwrap_or_else(|| panic!("{path} has no `{name}`"))
                };
                items.iter().map(find).collect::<Vec<_>>().join("\n\n")
            }
        }
    }
}

/// Replaces the content of each code block that has a source.
fn update(page: &str, repository: &Path) -> String {
    let mut text = String::with_capacity(page.len());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        text.push_str(line);
        text.push('\n');
        let Some(source) = Source::parse(line) else {
            continue;
        };
        let fence = lines.next().unwrap_or_default();
        assert!(fence.starts_with("```"), "no code block below {line}");
        lines.by_ref().find(|line| *line == "```").expect(line);
        writeln!(text, "{fence}\n{}\n```", source.read(repository)).unwrap();
    }
    text
}

fn commands(list: &str) -> String {
    let commands = list.lines().filter(|line| !line.trim().is_empty());
    let commands: Vec<String> = commands.map(|line| format!("kb-rs {line}")).collect();
    commands.join("\n")
}

fn without_header(source: &str) -> &str {
    let mut rest = source;
    while rest.starts_with("// ") || rest.starts_with('\n') {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest.trim_end()
}

#[test]
fn code_blocks_are_in_sync_with_their_sources() {
    for name in page::all() {
        page::assert_in_sync(&name, |text| update(text, repository()));
    }
}

#[test]
fn parses_the_source_of_a_code_block() {
    let parse = Source::parse;
    assert_eq!(
        parse("<!-- code: src/main.rs fn main, struct Args -->"),
        Some(Source::Code {
            path: "src/main.rs",
            items: vec!["fn main", "struct Args"],
        })
    );
    assert_eq!(
        parse("<!-- commands: commands.txt -->"),
        Some(Source::Commands {
            path: "commands.txt"
        })
    );
    assert_eq!(parse("<!-- generated: flags -->"), None);
}
