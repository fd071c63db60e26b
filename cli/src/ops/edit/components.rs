//! The optional kustomize components. Each is enabled by one line of `config/default/kustomization.yaml`.

use clap::ValueEnum;

use super::{Request, settings::Settings};
use crate::{
    ops::ReadFile,
    plan::{Edit, Insertion, Plan, RelPath},
    problem::Problem,
};

/// The file that lists the components.
const KUSTOMIZATION: &str = "config/default/kustomization.yaml";

/// An optional kustomize component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
#[allow(clippy::doc_markdown, reason = "clap help is plain text")]
pub(crate) enum Component {
    /// ServiceMonitor for the Prometheus Operator
    Prometheus,
    /// Metrics certificate from a Secret, verified by Prometheus
    MetricsTls,
    /// NetworkPolicy that allows metrics traffic only from labeled namespaces
    NetworkPolicy,
    /// Two replicas, spread across nodes and zones if possible, and a PodDisruptionBudget
    Pdb,
}

impl Component {
    /// Returns its directory below `config/`.
    pub(super) fn dir(self) -> &'static str {
        match self {
            Self::Prometheus => "prometheus",
            Self::MetricsTls => "metrics-tls",
            Self::NetworkPolicy => "network-policy",
            Self::Pdb => "pdb",
        }
    }

    fn line(self) -> String {
        format!("- ../{}", self.dir())
    }
}

/// Enables and disables the requested components.
pub(super) fn plan(
    request: &Request,
    settings: &Settings,
    read: ReadFile<'_>,
    plan: &mut Plan,
) -> Option<Problem> {
    if request.enable.is_empty() && request.disable.is_empty() {
        return None;
    }
    let path = RelPath::new(KUSTOMIZATION);
    let Some(expected) = read(&path) else {
        return Some(Problem::new(
            format!("{KUSTOMIZATION} does not exist"),
            "restore the file: it lists the components",
        ));
    };
    let mut text = expected.clone();
    for component in &request.disable {
        text = disable(&text, *component);
    }
    let mut missing = Vec::new();
    if !request.enable.is_empty() {
        text = text.replacen("\ncomponents: []", "\ncomponents:", 1);
    }
    for component in &request.enable {
        match enable(&text, *component) {
            Some(enabled) => text = enabled,
            None => missing.push(Insertion::last("components", component.line())),
        }
    }
    if text != expected {
        plan.edit(path.clone(), Edit::Rewrite { expected, text });
    }
    for insertion in missing {
        plan.insert(path.clone(), insertion);
    }
    ensure_files(&request.enable, settings, read, plan);
    None
}

/// Scaffolds missing files of the components: the project may be older than a component.
fn ensure_files(
    components: &[Component],
    settings: &Settings,
    read: ReadFile<'_>,
    plan: &mut Plan,
) {
    if components.is_empty() {
        return;
    }
    for (path, text) in settings.files(read).new_files() {
        let is_in = |component: &Component| {
            let dir = format!("config/{}/", component.dir());
            path.as_str().starts_with(&dir)
        };
        if components.iter().any(is_in) && read(&path).is_none() {
            plan.ensure(path, || text);
        }
    }
}

/// Uncomments the component's line. Returns `None` if there is no such line.
fn enable(text: &str, component: Component) -> Option<String> {
    let item = component.line();
    if text.lines().any(|line| list_item(line) == item) {
        return Some(text.to_owned());
    }
    let is_commented_out = |line: &&str| {
        let line = line.trim_start();
        line.starts_with('#') && list_item(line.trim_start_matches(['#', ' '])) == item
    };
    let old = text.split_inclusive('\n').find(is_commented_out)?;
    let (indent, rest) = old.split_once('#')?;
    let new = format!("{indent}{}", rest.strip_prefix(' ').unwrap_or(rest));
    Some(text.replacen(old, &new, 1))
}

/// Comments out the component's line.
fn disable(text: &str, component: Component) -> String {
    let item = component.line();
    let mut disabled = String::new();
    for line in text.split_inclusive('\n') {
        let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
        disabled.push_str(indent);
        if list_item(line) == item {
            disabled.push_str("# ");
        }
        disabled.push_str(rest);
    }
    disabled
}

/// Returns the line without indentation, quotes and a trailing comment.
fn list_item(line: &str) -> String {
    let text = line.split(" #").next().unwrap_or(line).trim();
    text.replace(['"', '\''], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFF: &str = "components:\n# Scrapes.\n# - ../prometheus\n# Budget.\n# - ../pdb\n# +kb:scaffold:components\n";
    const ON: &str = "components:\n# Scrapes.\n# - ../prometheus\n# Budget.\n- ../pdb\n# +kb:scaffold:components\n";

    #[test]
    fn toggles_one_line_per_component() {
        assert_eq!(enable(OFF, Component::Pdb).as_deref(), Some(ON));
        assert_eq!(enable(ON, Component::Pdb).as_deref(), Some(ON));
        assert_eq!(disable(ON, Component::Pdb), OFF);
        assert_eq!(disable(OFF, Component::Pdb), OFF);
    }

    #[test]
    fn recognizes_other_spellings() {
        let off = "components:\r\n  #- ../pdb # two nodes\r\n";
        let on = "components:\r\n  - ../pdb # two nodes\r\n";
        assert_eq!(enable(off, Component::Pdb).as_deref(), Some(on));
        let quoted = "components:\n- \"../pdb\"\n";
        assert_eq!(enable(quoted, Component::Pdb).as_deref(), Some(quoted));
        assert_eq!(
            disable(quoted, Component::Pdb),
            "components:\n# - \"../pdb\"\n"
        );
        assert_eq!(
            disable(on, Component::Pdb),
            "components:\r\n  # - ../pdb # two nodes\r\n"
        );
    }

    #[test]
    fn ignores_lines_of_other_components() {
        assert_eq!(enable("components:\n# - ../pdb2\n", Component::Pdb), None);
        let other = "components:\n- ../pdb-of-mine\n";
        assert_eq!(disable(other, Component::Pdb), other);
    }
}
