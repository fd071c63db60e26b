//! Selects the versions to remove.

use std::path::Path;

use kb_envtest::{Installation, VersionSelector};

use crate::problem::{Failure, Problem, Problems};

/// Returns the installed versions that match. Every name must match at least one.
pub(crate) fn select_for_removal(
    selector: &[VersionSelector],
    installed: &[Installation],
    cache: &Path,
) -> Result<Vec<Installation>, Failure> {
    let mut problems = Problems::default();
    if selector.contains(&VersionSelector::Latest) {
        let problem = Problem::new("cannot remove `latest`", "pass a version number");
        return Err(Failure::usage(vec![problem]));
    }
    for selector in selector {
        if !installed.iter().any(|one| selector.matches(one.version)) {
            let message = format!("{selector} is not installed in {}", cache.display());
            problems.push(Problem::new(
                message,
                "run `kb-rs envtest list --installed-only`",
            ));
        }
    }
    let problems = problems.into_vec();
    if !problems.is_empty() {
        return Err(Failure::refused(problems));
    }
    let is_selected = |one: &&Installation| {
        selector
            .iter()
            .any(|selector| selector.matches(one.version))
    };
    Ok(installed.iter().filter(is_selected).cloned().collect())
}
