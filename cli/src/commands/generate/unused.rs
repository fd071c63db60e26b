//! `--report-unused`: reads what tests recorded, and names the rules that none of them needed.

use std::path::Path;

use crate::{
    disk,
    ops::generate::{self, Recording},
    plan::RelPath,
    problem::Failure,
    show::Printer,
    source::WrittenRule,
};

/// Warns of rules that no test of the package needed. `target` is cargo's target folder.
pub(super) fn report(
    rules: &[WrittenRule],
    target: &Path,
    package: &str,
    printer: Printer,
) -> Result<(), Failure> {
    let folder = RelPath::new(format!("kb-rs/calls/{package}"));
    let mut recordings = Vec::new();
    for file in disk::files_in(target, Some(&folder))? {
        match recording(&file.below(target))? {
            Ok(recording) => recordings.push(recording),
            Err(note) => printer.note(&note),
        }
    }
    if recordings.is_empty() {
        printer.note(&format!(
            "no test has recorded its calls in {}: run `cargo test` first, with a control plane, or name cargo's folder with --target-dir",
            folder.below(target).display()
        ));
        return Ok(());
    }
    for warning in generate::unused(rules, &recordings) {
        printer.warning(&warning);
    }
    Ok(())
}

/// A recording, or a note on a file that is none.
fn recording(path: &Path) -> Result<Result<Recording, String>, Failure> {
    let text = disk::read_text(path)?;
    let recording = serde_json::from_str(&text);
    Ok(recording.map_err(|error| {
        let path = path.display();
        format!("{path} is no recording of a test, and is not looked at: {error}")
    }))
}
