//! Random modules with a kind: types in nested modules that refer to each other in every way of Rust.

use std::fmt::Write as _;

use proptest::{prelude::RngExt as _, test_runner::TestRng};
use scaffold_tests::api_crate;

use super::{
    fields::Member,
    types::{Defined, TypeGenerator},
};

/// A module of the API crate.
#[derive(Debug)]
pub(super) struct Module {
    /// Module name.
    pub(super) name: String,
    /// Its kind.
    pub(super) kind: String,
    /// Its files below `src`.
    pub(super) files: Vec<(String, String)>,
}

/// Ways to import a type of the inner module into the outer one.
const IMPORTS: [&str; 6] = [
    "use self::inner::{T};",
    "use inner::{T};",
    "use crate::{M}::inner::{T};",
    "use super::{M}::inner::{T} as Renamed{T};",
    "pub use self::inner::{T};",
    "use inner::{{self, {T}}};",
];

impl Module {
    /// Creates a random module.
    pub(super) fn random(number: usize, rng: &mut TestRng) -> Self {
        let name = format!("api_{number}");
        let kind = format!("Random{number}");
        let mut generator = TypeGenerator::new(rng);

        // The inner module is a file or inline.
        let mut inner = String::new();
        let mut known: Vec<Defined> = Vec::new();
        for _ in 0..generator.rng.random_range(1..5) {
            let defined = generator.define(&known);
            inner.push_str(&defined.source);
            known.push(defined);
        }
        let (imports, known) = import(&mut generator, &name, known);

        let mut outer = String::new();
        let mut visible = known;
        for _ in 0..generator.rng.random_range(1..4) {
            let defined = generator.define(&visible);
            outer.push_str(&defined.source);
            visible.push(defined);
        }
        let spec = generator.members(&visible, Member::Spec);
        let resource = generator.resource(&kind);
        let prelude = "use std::collections::{BTreeMap, BTreeSet, HashMap};\n\nuse kb::k8s_openapi::{api::core::v1 as core, apimachinery::pkg::{api::resource::Quantity, apis::meta, util::intstr::IntOrString}};\n";
        let body = format!(
            "{imports}\n\n{outer}\n/// The kind.\n{resource}\npub struct {kind}Spec {{\n{spec}}}\n"
        );
        let allow = "#![allow(unused_imports, missing_docs)]";
        let in_a_file = generator.rng.random_bool(0.5);
        let files = if in_a_file {
            vec![
                (
                    format!("{name}/mod.rs"),
                    format!("//! Random.\n{allow}\n\n{prelude}\npub mod inner;\n{body}"),
                ),
                (
                    format!("{name}/inner.rs"),
                    format!("//! Inner.\n{allow}\n\n{prelude}\n{inner}"),
                ),
            ]
        } else {
            vec![(
                format!("{name}.rs"),
                format!(
                    "//! Random.\n{allow}\n\n{prelude}\npub mod inner {{\n    //! Inner.\n    {prelude}\n{inner}}}\n{body}"
                ),
            )]
        };
        Self { name, kind, files }
    }
}

/// Returns the sources of an API crate with these modules.
pub(super) fn sources(modules: &[Module]) -> Vec<(String, String)> {
    let kinds = modules.iter();
    let kinds = kinds.map(|module| (module.name.as_str(), module.kind.as_str()));
    let root = ("lib.rs".to_owned(), api_crate(kinds));
    let files = modules.iter().flat_map(|module| module.files.clone());
    files.chain([root]).collect()
}

/// Imports the inner types. Returns the imports, and the types with their new names.
fn import(
    generator: &mut TypeGenerator<'_>,
    module: &str,
    inner: Vec<Defined>,
) -> (String, Vec<Defined>) {
    if generator.rng.random_bool(0.25) {
        return ("pub use inner::*;".to_owned(), inner);
    }
    let mut imports = String::new();
    let mut known = Vec::new();
    for mut defined in inner {
        let name = defined.name.clone();
        match generator.rng.random_range(0..9) {
            0 => defined.name = format!("inner::{name}"),
            1 => defined.name = format!("crate::{module}::inner::{name}"),
            2 if !defined.generic => {
                let _ = write!(
                    imports,
                    "/// An alias.\npub type Alias{name} = self::inner::{name};\n"
                );
                defined.name = format!("Alias{name}");
            }
            import => {
                let import = IMPORTS[usize::try_from(import).unwrap_or_default() % IMPORTS.len()];
                if import.contains("self, ") && imports.contains("self, ") {
                    defined.name = format!("inner::{name}");
                } else {
                    if import.contains(" as ") {
                        defined.name = format!("Renamed{name}");
                    }
                    let line = import.replace("{{", "{").replace("}}", "}");
                    imports.push_str(&line.replace("{T}", &name).replace("{M}", module));
                    imports.push('\n');
                }
            }
        }
        known.push(defined);
    }
    (
        imports.replace("use inner::{self, ", "use self::inner::{"),
        known,
    )
}
