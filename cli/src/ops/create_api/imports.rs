//! The `use` declarations of a controller, and the names of the imported types.

use std::collections::BTreeSet;

use heck::ToUpperCamelCase;

use super::reserved_names::{IMAGE_TYPES, TYPES};
use crate::plan::rustfmt_order::compare_imports;

/// A type and its module.
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

/// The imported paths of a file, and the names they introduce.
#[derive(Debug, Default)]
pub(super) struct Imports {
    reserved: &'static [&'static str],
    paths: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl Imports {
    /// Returns the imports of a controller that deploys an image. The template itself imports the types for it.
    pub(super) fn with_image() -> Self {
        Self {
            reserved: &IMAGE_TYPES,
            ..Self::default()
        }
    }

    fn is_reserved(&self, name: &str) -> bool {
        TYPES.contains(&name) || self.reserved.contains(&name)
    }

    /// Imports the reconciled kind, and returns its name; or its module, and `v1alpha1::Context`, if that name is in use.
    pub(super) fn reconciled(&mut self, module: &str, kind: &str) -> String {
        if !self.is_reserved(kind) {
            self.paths.insert(format!("{module}::{kind}"));
            self.names.insert(kind.to_owned());
            return kind.to_owned();
        }
        match module.rsplit_once("::") {
            Some((_, last)) => {
                self.paths.insert(module.to_owned());
                self.names.insert(last.to_owned());
                format!("{last}::{kind}")
            }
            // A crate name is always in scope.
            None => format!("{module}::{kind}"),
        }
    }

    /// Imports an owned type, and returns its name: the kind, or an alias if that name is in use.
    pub(super) fn owned(&mut self, import: &Import) -> String {
        let Import { module, name } = import;
        if !self.is_reserved(name) && self.names.insert(name.clone()) {
            self.paths.insert(format!("{module}::{name}"));
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
        self.paths.insert(format!("{module}::{name} as {alias}"));
        alias
    }

    /// Returns the imported paths in rustfmt's order: those of k8s-openapi, and the others.
    pub(super) fn split(self) -> (Vec<String>, Vec<String>) {
        let mut paths: Vec<String> = self.paths.into_iter().collect();
        paths.sort_by(|a, b| compare_imports(a, b));
        paths
            .into_iter()
            .partition(|path| path.starts_with("k8s_openapi::"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_a_name_that_is_in_use() {
        let mut imports = Imports::default();
        assert_eq!(imports.reconciled("my_api::v1", "App"), "App");
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
            [
                "my_api::v1::App",
                "my_api::v1::Controller as MyApiV1Controller"
            ]
        );
    }

    #[test]
    fn imports_the_module_of_a_kind_whose_name_is_in_use() {
        let mut imports = Imports::default();
        assert_eq!(imports.reconciled("my_api::v1", "Owner"), "v1::Owner");
        assert_eq!(imports.split(), (vec![], vec!["my_api::v1".to_owned()]));
        let mut imports = Imports::default();
        assert_eq!(imports.reconciled("widgets", "Owner"), "widgets::Owner");
        assert_eq!(imports.split(), (vec![], vec![]));
    }
}
