//! Reference of the manager's flags, generated from their clap definition.

use std::fmt::Write as _;

use clap::Args as _;
use kb::Flags;

use crate::{
    help::split_note,
    page::{assert_section, cell},
};

#[test]
fn flag_reference_is_in_sync() {
    let command = Flags::augment_args(clap::Command::new("manager"));
    let mut text = "| flag | environment | meaning | default |\n|---|---|---|---|\n".to_owned();
    for argument in command.get_arguments() {
        writeln!(text, "{}", row(argument)).unwrap();
    }
    assert_section("reference/manager.md", "flags", &text);
}

fn row(argument: &clap::Arg) -> String {
    let name = argument.get_long().unwrap();
    let value = argument.get_value_names().unwrap()[0].as_str();
    let usage = match value {
        "BOOL" => format!("--{name}[=true|false]"),
        value => format!("--{name} {value}"),
    };
    let variable = argument.get_env().map_or_else(String::new, |variable| {
        format!("`{}`", variable.to_str().unwrap())
    });
    let help = argument.get_help().unwrap().to_string();
    let (help, note) = split_note(&help, "default");
    let defaults = argument.get_default_values();
    let default = defaults.first().filter(|default| !default.is_empty());
    let default = default.map(|default| format!("`{}`", default.to_str().unwrap()));
    let values = argument.get_possible_values();
    let values: Vec<String> = values
        .iter()
        .filter(|_| value != "BOOL")
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    let mut meaning = help.trim().trim_end_matches([' ', '.']).to_owned();
    if !values.is_empty() {
        write!(meaning, ": {}", values.join(" or ")).unwrap();
    }
    format!(
        "| `{}` | {variable} | {} | {} |",
        cell(&usage),
        cell(&meaning),
        cell(&default.or(note).unwrap_or_default())
    )
}
