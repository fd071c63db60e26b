//! Parser for clap's `--help` output.

use std::process::Command;

/// Parsed `--help` output.
pub(crate) struct Help {
    /// Paragraphs of the description.
    pub about: Vec<String>,
    pub usage: String,
    /// Entries by section heading.
    pub sections: Vec<(String, Vec<Entry>)>,
    /// Shell script with comments.
    pub examples: String,
}

/// A flag, an argument or a command.
pub(crate) struct Entry {
    pub name: String,
    pub meaning: String,
    pub default: Option<String>,
    pub variable: Option<String>,
    /// Possible values with their descriptions.
    pub values: Vec<String>,
}

impl Help {
    pub(crate) fn of(command: &[String]) -> Self {
        let output = Command::new(env!("CARGO_BIN_EXE_kb-rs-under-test"))
            .args(command)
            .arg("--help")
            .env("COLUMNS", "100")
            .output()
            .unwrap();
        assert!(output.status.success(), "{command:?}");
        Self::read(&String::from_utf8(output.stdout).unwrap())
    }

    fn read(text: &str) -> Self {
        let (about, rest) = text.split_once("Usage: ").unwrap();
        let (usage, rest) = rest.split_once('\n').unwrap();
        let mut help = Self {
            about: paragraphs(about),
            usage: usage.replace("kb-rs-under-test", "kb-rs"),
            sections: Vec::new(),
            examples: String::new(),
        };
        for (heading, lines) in sections(rest) {
            if heading == "Examples" {
                help.examples = examples(&lines);
            } else {
                help.sections.push((heading, entries(&lines)));
            }
        }
        help
    }

    /// Returns the subcommands.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &Entry> {
        let sections = self.sections.iter();
        let commands = sections.filter(|(heading, _)| heading == "Commands");
        let entries = commands.flat_map(|(_, entries)| entries);
        entries.filter(|entry| entry.name != "help")
    }
}

fn paragraphs(text: &str) -> Vec<String> {
    let paragraphs = text.trim().split("\n\n");
    paragraphs
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// Splits the text at its headings.
fn sections(text: &str) -> Vec<(String, Vec<&str>)> {
    let mut sections: Vec<(String, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        let heading = line
            .strip_suffix(':')
            .filter(|line| !line.starts_with(' ') && !line.is_empty());
        if let Some(heading) = heading {
            sections.push((heading.to_owned(), Vec::new()));
        } else if let Some((_, lines)) = sections.last_mut() {
            lines.push(line);
        }
    }
    sections
}

/// Returns the examples without their indentation.
fn examples(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| line.strip_prefix("  ").unwrap_or(line))
        .collect();
    lines.join("\n").trim().to_owned()
}

fn entries(lines: &[&str]) -> Vec<Entry> {
    let mut entries: Vec<(String, Vec<String>)> = Vec::new();
    for line in lines {
        let indentation = line.len() - line.trim_start().len();
        if line.trim().is_empty() {
            if let Some((_, text)) = entries.last_mut() {
                text.push(String::new());
            }
        } else if indentation < 10 {
            // Subcommands have their description on the same line.
            let (name, meaning) = line.trim().split_once("  ").unwrap_or((line.trim(), ""));
            entries.push((name.to_owned(), vec![meaning.trim().to_owned()]));
        } else {
            entries.last_mut().unwrap().1.push(line.trim().to_owned());
        }
    }
    entries
        .into_iter()
        .map(|(name, text)| entry(name, &text))
        .collect()
}

fn entry(name: String, lines: &[String]) -> Entry {
    let (text, values) = match lines.iter().position(|line| line == "Possible values:") {
        Some(start) => (lines[..start].join(" "), lines[start + 1..].to_vec()),
        None => (lines.join(" "), Vec::new()),
    };
    let (values, notes): (Vec<_>, Vec<_>) = values
        .into_iter()
        .filter(|line| !line.is_empty())
        .partition(|line| !line.starts_with('['));
    let text = format!("{text} {}", notes.join(" "));
    let (text, default) = split_note(&text, "default");
    let (text, variable) = split_note(&text, "env");
    Entry {
        name,
        meaning: text.split_whitespace().collect::<Vec<_>>().join(" "),
        default,
        variable,
        values: parse_values(&values),
    }
}

/// Splits off a note in brackets, such as `[default: text]`.
pub(crate) fn split_note(text: &str, name: &str) -> (String, Option<String>) {
    let start = format!("[{name}: ");
    let Some((before, rest)) = text.split_once(&start) else {
        return (text.to_owned(), None);
    };
    let (note, after) = rest.split_once(']').unwrap();
    (
        format!("{} {}", before.trim_end(), after.trim_start()),
        Some(note.trim_end_matches('=').to_owned()),
    )
}

/// Parses `- text: Human-readable`, which may continue on the next line.
fn parse_values(lines: &[String]) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for line in lines {
        match line.strip_prefix("- ") {
            Some(value) => values.push(value.to_owned()),
            None => values.last_mut().unwrap().extend([" ", line.trim()]),
        }
    }
    values
        .iter()
        .map(|value| {
            let (name, meaning) = value.split_once(':').unwrap_or((value, ""));
            match meaning.trim() {
                "" => format!("`{}`", name.trim()),
                meaning => format!("`{}`: {meaning}", name.trim()),
            }
        })
        .collect()
}
