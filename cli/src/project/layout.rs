//! Whether a PROJECT is one that this kb-rs can work with: its format version and its plugin chain.
//!
//! Both are looked at before the rest. A file of another tool, or of a newer one, gets that one answer, not a list of
//! fields that are not as expected.

use super::{
    document::Node,
    error::Problem,
    read::Mapping,
    record::{LAYOUT, VERSION},
};

const NEW_PROJECT: &str = "run `kb-rs init` in a new folder";

/// The format must be the one that kb-rs knows.
pub(crate) fn version(fields: &Mapping<'_>) -> Result<(), Problem> {
    let Some(node) = fields.get("version") else {
        return Err(at(fields.node, "the file has no `version`".to_owned())
            .help(format!("add `version: \"{VERSION}\"` as the last line")));
    };
    let version = node.text().unwrap_or("of another type");
    if version == VERSION {
        return Ok(());
    }
    let known = format!("PROJECT has version {version}, this kb-rs knows {VERSION}");
    let number = version.parse::<u32>();
    Err(match (number, VERSION.parse::<u32>()) {
        (Ok(number), Ok(own)) if number > own => {
            at(node, format!("{known}; install a newer kb-rs"))
        }
        (Ok(_), _) => {
            at(node, format!("{known}; older formats are not supported")).help(NEW_PROJECT)
        }
        (Err(_), _) => at(node, known).help(format!("write `version: \"{VERSION}\"`")),
    })
}

/// The plugin chain must hold kb-rs.
pub(crate) fn chain(fields: &Mapping<'_>, chain: &[String]) -> Result<(), Problem> {
    if chain.iter().any(|entry| entry == LAYOUT) {
        return Ok(());
    }
    let add = format!("add `layout: [{LAYOUT}]` if kb-rs made this project");
    let (Some(node), Some(first)) = (fields.get("layout"), chain.first()) else {
        return Err(at(fields.node, "the file has no `layout`".to_owned()).help(add));
    };
    let name = LAYOUT.split('/').next().unwrap_or(LAYOUT);
    Err(
        if let Some(entry) = chain
            .iter()
            .find(|entry| entry.split('/').next() == Some(name))
        {
            at(
                node,
                format!(
                    "PROJECT has layout {entry}, this kb-rs knows {LAYOUT}; install a newer kb-rs"
                ),
            )
        } else if chain.iter().any(|entry| entry.contains("kubebuilder.io")) {
            let message = format!(
                "this is a Kubebuilder Go project (layout {first}); kb-rs cannot add to it"
            );
            at(node, message).help(NEW_PROJECT)
        } else {
            at(
                node,
                format!("PROJECT has layout {first}, which is not one of kb-rs ({LAYOUT})"),
            )
            .help(NEW_PROJECT)
        },
    )
}

fn at(node: &Node, message: String) -> Problem {
    Problem::new(message).at(node.start.line, node.start.column)
}

#[cfg(test)]
mod tests {
    use crate::project::ProjectFile;

    /// The text must have exactly this problem.
    fn check(text: &str, problem: &str) {
        let error = ProjectFile::parse(text).unwrap_err();
        assert_eq!(error.to_string(), problem, "in\n{text}");
    }

    #[test]
    fn another_format_version_is_the_only_problem() {
        let rest = "projectName: A_B\n";
        check(
            &format!("{rest}version: \"4\"\n"),
            "PROJECT:2:10: PROJECT has version 4, this kb-rs knows 3; install a newer kb-rs",
        );
        check(
            &format!("{rest}version: \"2\"\n"),
            "PROJECT:2:10: PROJECT has version 2, this kb-rs knows 3; older formats are not supported",
        );
        check(rest, "PROJECT:1:1: the file has no `version`");
    }

    #[test]
    fn another_tools_layout_is_the_only_problem() {
        check(
            "layout:\n- go.kubebuilder.io/v4\nversion: \"3\"\n",
            "PROJECT:2:3: this is a Kubebuilder Go project (layout go.kubebuilder.io/v4); kb-rs cannot add to it",
        );
        check(
            "layout: rust.kb-rs.dev/v2\nversion: \"3\"\n",
            "PROJECT:1:9: PROJECT has layout rust.kb-rs.dev/v2, this kb-rs knows rust.kb-rs.dev/v1; install a newer kb-rs",
        );
        check("version: \"3\"\n", "PROJECT:1:1: the file has no `layout`");
    }
}
