//! `--watch`: generates after every change of a source.

use std::path::Path;

use super::{super::execute::Observer, args::GenerateArgs, run::run_watched};
use crate::{
    plan::{Change, Resolved},
    show::Printer,
};

/// Runs until the process is terminated. Problems are printed, and retried after the next change.
pub(super) fn run(args: &GenerateArgs, root: &Path, observe: Observer<'_>) -> ! {
    let printer = args.output.printer();
    loop {
        let (result, seen) = run_watched(args, root, observe);
        match result {
            Ok(resolved) => print(&resolved, printer),
            Err(failure) => printer.problems(&failure.problems),
        }
        seen.wait_for_change();
    }
}

fn print(resolved: &Resolved, printer: Printer) {
    let line = |change: &Change| format!("{} {}", change.action.verb(), change.path);
    let changes: Vec<String> = resolved.changes.iter().map(line).collect();
    printer.line(&if changes.is_empty() {
        "nothing to change".to_owned()
    } else {
        changes.join(", ")
    });
}
