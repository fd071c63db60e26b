//! Reference of the command line, generated from `--help`.

use std::{fmt::Write as _, slice};

use crate::{
    help::{Entry, Help},
    page::{assert_section, cell},
};

#[test]
fn command_reference_is_in_sync() {
    let mut text = String::new();
    write_command(&mut text, &[]);
    assert!(text.contains("## `kb-rs create api`"), "{text}");
    assert_section("reference/commands.md", "commands", &text);
}

/// Writes this command, or its subcommands.
fn write_command(text: &mut String, command: &[String]) {
    let help = Help::of(command);
    let is_group = help.commands().next().is_some();
    if !is_group {
        write_leaf(text, &command.join(" "), &help);
    }
    for below in help.commands() {
        write_command(text, &[command, slice::from_ref(&below.name)].concat());
    }
}

fn write_leaf(text: &mut String, command: &str, help: &Help) {
    write!(text, "## `kb-rs {command}`\n\n").unwrap();
    for (index, paragraph) in help.about.iter().enumerate() {
        let end = if index == 0 { "." } else { "" };
        write!(text, "{}{end}\n\n", angles(paragraph)).unwrap();
    }
    write!(text, "```text\n{}\n```\n\n", help.usage).unwrap();
    for (heading, entries) in &help.sections {
        write!(text, "**{heading}**\n\n").unwrap();
        write_table(text, entries);
    }
    if !help.examples.is_empty() {
        write!(text, "**Examples**\n\n```sh\n{}\n```\n\n", help.examples).unwrap();
    }
}

fn write_table(text: &mut String, entries: &[Entry]) {
    text.push_str("| | Description | Default |\n|---|---|---|\n");
    for entry in entries
        .iter()
        .filter(|entry| !entry.name.contains("--help"))
    {
        let mut meaning = angles(&entry.meaning);
        if !entry.values.is_empty() {
            write!(meaning, ". {}", entry.values.join("; ")).unwrap();
        }
        if let Some(variable) = &entry.variable {
            write!(meaning, ". Environment variable: `{variable}`").unwrap();
        }
        let default = entry.default.clone().unwrap_or_default();
        writeln!(
            text,
            "| `{}` | {} | {} |",
            cell(&entry.name),
            cell(&meaning),
            cell(&default)
        )
        .unwrap();
    }
    text.push('\n');
}

/// Escapes angle brackets, which Markdown reads as HTML.
fn angles(text: &str) -> String {
    text.replace('<', "&lt;")
}
