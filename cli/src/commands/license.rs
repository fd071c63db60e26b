//! License flags that several commands share.

use std::path::Path;

use crate::{
    disk,
    ops::Header,
    problem::{Problem, Problems},
};

/// Rejects free text that could break out of a string in a generated file.
pub(super) fn check_text(what: &str, value: Option<&str>, problems: &mut Problems) {
    let Some(value) = value else { return };
    if value.trim().is_empty()
        || value
            .chars()
            .any(|character| character.is_control() || matches!(character, '"' | '\\'))
    {
        problems.push(Problem::new(
            format!("invalid {what} {value:?}"),
            "use one non-empty line without quotation marks and backslashes",
        ));
    }
}

/// Reads the header of `--license-file`.
pub(super) fn read_header(file: &Path, problems: &mut Problems) -> Header {
    match disk::read_text(file) {
        Ok(text) => problems
            .take(Header::parse(&file.display().to_string(), &text))
            .unwrap_or_default(),
        Err(error) => {
            problems.push(Problem::new(
                error.to_string(),
                "pass an existing file to --license-file",
            ));
            Header::default()
        }
    }
}
