//! `--report-unused`: reads what tests recorded, and names the rules that none of them needed.

use std::path::Path;

use crate::{
    disk,
    ops::generate::{self, Recording},
    plan::RelPath,
    problem::{Failure, Problem},
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
        let path = file.below(target);
        recordings.push(recording(&path)?);
    }
    if recordings.is_empty() {
        printer.note(&format!(
            "no test has recorded its calls in {}: run `cargo test` first, with a control plane",
            folder.below(target).display()
        ));
        return Ok(());
    }
    for warning in generate::unused(rules, &recordings) {
        printer.warning(&warning);
    }
    Ok(())
}

fn recording(path: &Path) -> Result<Recording, Failure> {
    let text = disk::read_text(path)?;
    serde_json::from_str(&text).map_err(|error| {
        let message = format!("{} is no recording of a test: {error}", path.display());
        Problem::new(message, "remove it, and run the tests again").into()
    })
}
