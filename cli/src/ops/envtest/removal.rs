//! Selects the versions to remove.

use std::path::Path;

use kb_envtest::{Installed, Wanted};

use crate::problem::{Failure, Problem, Problems};

/// Returns the installed versions that match. Every name must match at least one.
pub(crate) fn select_for_removal(
    wanted: &[Wanted],
    installed: &[Installed],
    cache: &Path,
) -> Result<Vec<Installed>, Failure> {
    let mut problems = Problems::default();
    if wanted.contains(&Wanted::Latest) {
        let problem = Problem::new("`latest` is no version to remove", "name it by its number");
        return Err(Failure::usage(vec![problem]));
    }
    for wanted in wanted {
        if !installed.iter().any(|one| wanted.allows(one.version)) {
            let message = format!("{wanted} is not installed in {}", cache.display());
            problems.push(Problem::new(message, "`kb-rs envtest list` shows what is"));
        }
    }
    let problems = problems.into_vec();
    if !problems.is_empty() {
        return Err(Failure::refused(problems));
    }
    let is_selected = |one: &&Installed| wanted.iter().any(|wanted| wanted.allows(one.version));
    Ok(installed.iter().filter(is_selected).cloned().collect())
}
