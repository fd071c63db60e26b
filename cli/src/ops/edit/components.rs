//! The optional parts of what is deployed: kustomize components, each switched by one line of `config/default/kustomization.yaml`.

use clap::ValueEnum;

use super::{Request, choices::Choices};
use crate::{
    ops::create_api::Texts,
    plan::{Edit, Insertion, Plan, RelPath},
    problem::Problem,
};

/// The file that lists the components.
const KUSTOMIZATION: &str = "config/default/kustomization.yaml";

/// An optional part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Component {
    /// A `ServiceMonitor`: the Prometheus operator scrapes the metrics
    Prometheus,
    /// The metrics' certificate from a `Secret`, which the `ServiceMonitor` verifies
    MetricsTls,
    /// A `NetworkPolicy`: only labelled namespaces reach the metrics
    NetworkPolicy,
    /// Two replicas, if possible on different nodes, and a `PodDisruptionBudget`
    Pdb,
}

impl Component {
    /// Its folder below `config/`.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::Prometheus => "prometheus",
            Self::MetricsTls => "metrics-tls",
            Self::NetworkPolicy => "network-policy",
            Self::Pdb => "pdb",
        }
    }

    fn line(self) -> String {
        format!("- ../{}", self.folder())
    }
}

/// Adds the switches to the plan.
pub(super) fn plan(
    request: &Request,
    choices: &Choices,
    texts: Texts<'_>,
    plan: &mut Plan,
) -> Option<Problem> {
    if request.enable.is_empty() && request.disable.is_empty() {
        return None;
    }
    let path = RelPath::new(KUSTOMIZATION);
    let Some(expected) = texts(&path) else {
        return Some(Problem::new(
            format!("{KUSTOMIZATION} does not exist, and it lists the components"),
            "restore the file",
        ));
    };
    let mut text = expected.clone();
    for component in &request.disable {
        text = switched_off(&text, *component);
    }
    let mut missing = Vec::new();
    if !request.enable.is_empty() {
        text = text.replacen("\ncomponents: []", "\ncomponents:", 1);
    }
    for component in &request.enable {
        match switched_on(&text, *component) {
            Some(switched) => text = switched,
            None => missing.push(Insertion::last("components", component.line())),
        }
    }
    if text != expected {
        plan.edit(path.clone(), Edit::Rewrite { expected, text });
    }
    for insertion in missing {
        plan.insert(path.clone(), insertion);
    }
    ensure_files(&request.enable, choices, texts, plan);
    None
}

/// A project may be older than a component, or have lost its folder.
fn ensure_files(components: &[Component], choices: &Choices, texts: Texts<'_>, plan: &mut Plan) {
    if components.is_empty() {
        return;
    }
    for (path, text) in choices.files(texts).new_files() {
        let is_in = |component: &Component| {
            let folder = format!("config/{}/", component.folder());
            path.as_str().starts_with(&folder)
        };
        if components.iter().any(is_in) && texts(&path).is_none() {
            plan.ensure(path, || text);
        }
    }
}

/// The text with the component's line; none, if there is no line to switch.
fn switched_on(text: &str, component: Component) -> Option<String> {
    let wanted = component.line();
    if text.lines().any(|line| entry(line) == wanted) {
        return Some(text.to_owned());
    }
    let is_off = |line: &&str| {
        let line = line.trim_start();
        line.starts_with('#') && entry(line.trim_start_matches(['#', ' '])) == wanted
    };
    let off = text.split_inclusive('\n').find(is_off)?;
    let (indent, item) = off.split_once('#')?;
    let on = format!("{indent}{}", item.strip_prefix(' ').unwrap_or(item));
    Some(text.replacen(off, &on, 1))
}

/// The text with the component's line as a comment.
fn switched_off(text: &str, component: Component) -> String {
    let unwanted = component.line();
    let mut switched = String::new();
    for line in text.split_inclusive('\n') {
        let (indent, item) = line.split_at(line.len() - line.trim_start().len());
        switched.push_str(indent);
        if entry(line) == unwanted {
            switched.push_str("# ");
        }
        switched.push_str(item);
    }
    switched
}

/// What a line says, without its indentation and a remark behind it.
fn entry(line: &str) -> String {
    let item = line.split(" #").next().unwrap_or(line).trim();
    item.replace(['"', '\''], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFF: &str = "components:\n# Scrapes.\n# - ../prometheus\n# Budget.\n# - ../pdb\n# +kb:scaffold:components\n";
    const ON: &str = "components:\n# Scrapes.\n# - ../prometheus\n# Budget.\n- ../pdb\n# +kb:scaffold:components\n";

    #[test]
    fn a_component_is_one_line_on_or_off() {
        assert_eq!(switched_on(OFF, Component::Pdb).as_deref(), Some(ON));
        assert_eq!(switched_on(ON, Component::Pdb).as_deref(), Some(ON));
        assert_eq!(switched_off(ON, Component::Pdb), OFF);
        assert_eq!(switched_off(OFF, Component::Pdb), OFF);
    }

    #[test]
    fn other_spellings_are_understood() {
        let off = "components:\r\n  #- ../pdb # two nodes\r\n";
        let on = "components:\r\n  - ../pdb # two nodes\r\n";
        assert_eq!(switched_on(off, Component::Pdb).as_deref(), Some(on));
        let quoted = "components:\n- \"../pdb\"\n";
        assert_eq!(switched_on(quoted, Component::Pdb).as_deref(), Some(quoted));
        assert_eq!(
            switched_off(quoted, Component::Pdb),
            "components:\n# - \"../pdb\"\n"
        );
        assert_eq!(
            switched_off(on, Component::Pdb),
            "components:\r\n  # - ../pdb # two nodes\r\n"
        );
    }

    #[test]
    fn where_there_is_no_line_there_is_nothing_to_switch() {
        assert_eq!(
            switched_on("components:\n# - ../pdb2\n", Component::Pdb),
            None
        );
        let other = "components:\n- ../pdb-of-mine\n";
        assert_eq!(switched_off(other, Component::Pdb), other);
    }
}
