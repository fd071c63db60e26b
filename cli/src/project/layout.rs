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
            return Err(ProjectError::single(
                "version: required field is missing",
                help,
            ));
        }
        Some(other) => other.to_string(),
    };
    if version == VERSION {
        return Ok(());
    }
    let unsupported = format!("version: {version} is not supported, expected {VERSION}");
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
        return Err(ProjectError::single(
            "layout: required field is missing",
            help,
        ));
    };
    let plugin = |key: &str| key.split('/').next().map(str::to_owned);
    let other_version = chain.iter().find(|key| plugin(key) == plugin(LAYOUT));
    Err(if let Some(key) = other_version {
        let message = format!("layout: {key} is not supported, expected {LAYOUT}");
        ProjectError::single(message, NEWER)
    } else if chain.iter().any(|key| key.contains("kubebuilder.io")) {
        let message = format!(
            "layout: {first} is the layout of a Kubebuilder Go project, which kb-rs does not support"
        );
        ProjectError::single(message, NEW_PROJECT)
    } else {
        let message = format!("layout: {first} is not a kb-rs layout, expected {LAYOUT}");
        ProjectError::single(message, NEW_PROJECT)
    })
}
