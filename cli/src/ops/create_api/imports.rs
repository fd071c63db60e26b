//! The `use` lines of a controller, and the names its types have after them.

use std::collections::BTreeSet;

use heck::ToUpperCamelCase;

use crate::plan::rustfmt_order::compare_imports;

/// Names that a controller's file uses for other things.
const TAKEN: [&str; 14] = [
    "Action",
    "Arc",
    "Client",
    "Context",
    "Controller",
    "Duration",
    "Error",
    "EventRecorder",
    "EventType",
    "Manager",
    "Objects",
    "Option",
    "Owner",
    "Store",
];

/// A type and the module it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    module: String,
    name: String,
}

impl Import {
    pub(super) fn of(module: &str, name: &str) -> Self {
        Self {
            module: module.to_owned(),
            name: name.to_owned(),
        }
    }

    /// `my_api::v1::App`
    pub(super) fn path(&self) -> String {
        format!("{}::{}", self.module, self.name)
    }
}

/// The lines of a file, and the types' names in it.
#[derive(Debug, Default)]
pub(super) struct Imports {
    lines: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl Imports {
    /// Imports the module of the kind that is reconciled, and gives the type's path: `v1alpha1::AppService`.
    pub(super) fn reconciled(&mut self, module: &str, kind: &str) -> String {
        match module.rsplit_once("::") {
            Some((_, last)) => {
                self.lines.insert(module.to_owned());
                self.names.insert(last.to_owned());
                format!("{last}::{kind}")
            }
            // A crate's root is in scope by itself.
            None => format!("{module}::{kind}"),
        }
    }

    /// Imports an owned type, and gives its name: the kind, unless that name is taken.
    pub(super) fn owned(&mut self, import: &Import) -> String {
        let Import { module, name } = import;
        if !TAKEN.contains(&name.as_str()) && self.names.insert(name.clone()) {
            self.lines.insert(format!("{module}::{name}"));
            return name.clone();
        }
        let alias: String = module
            .rsplit("::")
            .take(2)
            .collect::<Vec<_>>()
            .iter()
            .rev()
            .map(|part| part.to_upper_camel_case())
            .chain([name.clone()])
            .collect();
        self.names.insert(alias.clone());
        self.lines.insert(format!("{module}::{name} as {alias}"));
        alias
    }

    /// The imported paths as rustfmt sorts them: Kubernetes' own, and the others.
    pub(super) fn split(self) -> (Vec<String>, Vec<String>) {
        let mut lines: Vec<String> = self.lines.into_iter().collect();
        lines.sort_by(|a, b| compare_imports(a, b));
        lines
            .into_iter()
            .partition(|line| line.starts_with("k8s_openapi::"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_taken_gets_its_module_in_front() {
        let mut imports = Imports::default();
        assert_eq!(imports.reconciled("my_api::v1", "App"), "v1::App");
        let core = Import::of("k8s_openapi::api::core::v1", "Event");
        let events = Import::of("k8s_openapi::api::events::v1", "Event");
        assert_eq!(imports.owned(&core), "Event");
        assert_eq!(imports.owned(&events), "EventsV1Event");
        assert_eq!(
            imports.owned(&Import::of("my_api::v1", "Controller")),
            "MyApiV1Controller"
        );
        let (kubernetes, own) = imports.split();
        assert_eq!(
            kubernetes,
            [
                "k8s_openapi::api::core::v1::Event",
                "k8s_openapi::api::events::v1::Event as EventsV1Event"
            ]
        );
        assert_eq!(
            own,
            ["my_api::v1", "my_api::v1::Controller as MyApiV1Controller"]
        );
    }

    #[test]
    fn a_crates_root_needs_no_import() {
        let mut imports = Imports::default();
        assert_eq!(imports.reconciled("widgets", "Widget"), "widgets::Widget");
        assert_eq!(imports.split(), (vec![], vec![]));
    }
}
