//! Checks the format version and the plugin chain of a PROJECT.
//!
//! A file of another tool, or of a newer kb-rs, yields this one problem instead of a list of unexpected fields.

use serde_json::Value;

use super::{
    ProjectError,
    config::{LAYOUT, VERSION},
};

const NEW_PROJECT: &str = "run `kb-rs init` in a new directory";
const NEWER: &str = "upgrade kb-rs";

/// Rejects every format version but the supported one.
pub(super) fn check_version(version: Option<Value>) -> Result<(), ProjectError> {
    let version = match version {
        Some(Value::String(version)) => version,
        None | Some(Value::Null) => {
            let help = format!("add `version: \"{VERSION}\"`");
            return Err(ProjectError::single("version: required field is missing", help));
        }
        Some(other) => other.to_string(),
    };
    if version == VERSION {
        return Ok(());
    }
    let unsupported = format!("version: {version} is not supported, only {VERSION}");
    Err(match (version.parse::<u32>(), VERSION.parse::<u32>()) {
        (Ok(number), Ok(own)) if number > own => ProjectError::single(unsupported, NEWER),
        (Ok(_), _) => ProjectError::single(unsupported, NEW_PROJECT),
        (Err(_), _) => ProjectError::single(unsupported, format!("set `version: \"{VERSION}\"`")),
    })
}

/// Rejects a plugin chain without kb-rs.
pub(super) fn check_layout(chain: &[String]) -> Result<(), ProjectError> {
    if chain.iter().any(|key| key == LAYOUT) {
        return Ok(());
    }
    let Some(first) = chain.first() else {
        let help = format!("add `layout: [{LAYOUT}]` if this is a kb-rs project");
        return Err(ProjectError::single("layout: required field is missing", help));
    };
    let plugin = |key: &str| key.split('/').next().map(str::to_owned);
    let other_version = chain.iter().find(|key| plugin(key) == plugin(LAYOUT));
    Err(if let Some(key) = other_version {
        let message = format!("layout: {key} is not supported, only {LAYOUT}");
        ProjectError::single(message, NEWER)
    } else if chain.iter().any(|key| key.contains("kubebuilder.io")) {
        let message =
            format!("layout: {first} is a Kubebuilder Go project, which kb-rs does not support");
        ProjectError::single(message, NEW_PROJECT)
    } else {
        let message = format!("layout: {first} is not a kb-rs project ({LAYOUT})");
        ProjectError::single(message, NEW_PROJECT)
    })
}

#[cfg(test)]
mod tests {
    use snapbox::{assert_data_eq, str};

    use crate::project::ProjectFile;

    fn problem(text: &str) -> String {
        ProjectFile::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn rejects_other_format_versions_before_anything_else() {
        let rest = "projectName: A_B\n";
        assert_data_eq!(
            problem(&format!("{rest}version: \"4\"\n")),
            str!["PROJECT: PROJECT has version 4, this kb-rs knows 3"]
        );
        assert_data_eq!(
            problem(&format!("{rest}version: \"2\"\n")),
            str![
                "PROJECT: PROJECT has version 2, this kb-rs knows 3; older formats are not supported"
            ]
        );
        assert_data_eq!(
            problem(&format!("{rest}version: []\n")),
            str!["PROJECT: PROJECT has version [], this kb-rs knows 3"]
        );
        assert_data_eq!(problem(rest), str!["PROJECT: the file has no `version`"]);
    }

    #[test]
    fn rejects_other_layouts_before_anything_else() {
        let problem =
            |layout: &str| problem(&format!("{layout}projectName: A_B\nversion: \"3\"\n"));
        assert_data_eq!(
            problem("layout:\n- go.kubebuilder.io/v4\n"),
            str![
                "PROJECT: this is a Kubebuilder Go project (layout go.kubebuilder.io/v4); kb-rs cannot add to it"
            ]
        );
        assert_data_eq!(
            problem("layout: rust.kb-rs.dev/v2\n"),
            str![
                "PROJECT: PROJECT has layout rust.kb-rs.dev/v2, this kb-rs knows rust.kb-rs.dev/v1"
            ]
        );
        assert_data_eq!(
            problem("layout: helm.example.com/v1\n"),
            str![
                "PROJECT: PROJECT has layout helm.example.com/v1, which is not one of kb-rs (rust.kb-rs.dev/v1)"
            ]
        );
        assert_data_eq!(problem(""), str!["PROJECT: the file has no `layout`"]);
    }
}
