//! `--watch`: a run, a line about it, and a wait for the next change.

use std::path::Path;

use super::{super::carry_out::Observer, args::GenerateArgs, job};
use crate::{
    plan::{Change, Resolved},
    show::Printer,
};

/// Runs until the process is ended. What is wrong is shown, and waited for to be mended.
pub(super) fn run(args: &GenerateArgs, root: &Path, observe: Observer<'_>) -> ! {
    let printer = args.output.printer();
    loop {
        let (result, seen) = job::watched(args, root, observe);
        match result {
            Ok(resolved) => say(&resolved, printer),
            Err(failure) => printer.problems(&failure.problems),
        }
        seen.wait_for_change();
    }
}

fn say(resolved: &Resolved, printer: Printer) {
    let listed = |change: &Change| format!("{} {}", change.action.verb(), change.path);
    let changes: Vec<String> = resolved.changes.iter().map(listed).collect();
    printer.watched(&if changes.is_empty() {
        "nothing to change".to_owned()
    } else {
        changes.join(", ")
    });
}
