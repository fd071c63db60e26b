//! What a user may do to the text of a PROJECT: comments, blank lines, unknown fields, and another layout.

use std::fmt::Write as _;

use kb_rs::project::{Project, Resource};

/// What was put into a text: the mark of a comment or an unknown field, and the resource it belongs to.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) text: String,
    pub(crate) owner: Option<Resource>,
    pub(crate) field: bool,
}

#[derive(Debug)]
pub(crate) struct Decorated {
    pub(crate) text: String,
    pub(crate) marks: Vec<Mark>,
}

/// Per line of the text: whether it gets a comment above, one behind, a blank line, an unknown field.
pub(crate) type Choices = Vec<[bool; 4]>;

pub(crate) fn decorate(
    project: &Project,
    choices: &Choices,
    indented: bool,
    crlf: bool,
    open: bool,
) -> Decorated {
    let mut marks = Vec::new();
    let mut text = String::new();
    let (mut item, mut inside) = (0, false);
    let rendered = project.render();
    for (number, line) in rendered.lines().enumerate() {
        let [above, behind, blank, unknown] = choices[number % choices.len()];
        let top = !line.starts_with([' ', '-', '#']);
        inside = (inside && !top) || line == "resources:";
        item += usize::from(inside && line.starts_with("- "));
        let owner = (inside && !top).then(|| project.resources[item - 1].clone());
        let list = line.trim_start().starts_with('-');
        let shift = if indented && (owner.is_some() || line.starts_with('-')) {
            2
        } else {
            0
        };
        let indent = line.len() - line.trim_start().len() + shift;
        // Comments on what a step may remove go with it.
        let key = line.trim_start_matches([' ', '-']).split(':').next();
        let fleeting = [Some("path"), Some("repo")].contains(&key);
        let (above, behind) = if list && line.starts_with(' ') {
            (false, false)
        } else {
            (above, behind && !fleeting && !line.starts_with('#'))
        };
        let mut mark = |text: String, field: bool| {
            let owner = owner.clone();
            marks.push(Mark {
                text: text.clone(),
                owner,
                field,
            });
            text
        };
        if blank {
            text.push('\n');
        }
        if unknown
            && (top
                || owner.is_some() && line.starts_with("  ") && !line.starts_with("   ") && !list)
        {
            let key = mark(format!("unknown-{number}"), true);
            let value = "[1, two, {three: 4}]\n";
            let note = format!(
                "{:indent$}{key}-note: |\n{:indent$}  # of the note\n",
                "", ""
            );
            let _ = write!(text, "{:indent$}{key}: {value}{note}", "");
        }
        if above {
            let comment = mark(format!("# above-{number}-"), false);
            let _ = writeln!(text, "{:indent$}{comment}", "");
        }
        let _ = write!(text, "{:shift$}{line}", "");
        if behind {
            let comment = mark(format!("# behind-{number}-"), false);
            let _ = write!(text, "  {comment}");
        }
        text.push('\n');
    }
    if crlf {
        text = text.replace('\n', "\r\n");
    }
    if open {
        text.truncate(text.trim_end().len());
    }
    Decorated { text, marks }
}
