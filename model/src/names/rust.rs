//! Names that Rust and cargo cannot use for a module, type or package.
//!
//! Modules get a trailing underscore, as is customary in Rust; types and packages are rejected with a reason.

/// Keywords up to edition 2024, strict and reserved.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Crates distributed with Rust.
const SYSROOT: &[&str] = &["alloc", "core", "proc_macro", "std"];

/// Crates used by generated projects.
const DEPENDENCIES: &[&str] = &[
    "anyhow",
    "axum",
    "axum_server",
    "clap",
    "futures",
    "http",
    "k8s_openapi",
    "kb",
    "kb_envtest",
    "kb_macros",
    "kb_runtime",
    "kube",
    "prometheus_client",
    "schemars",
    "serde",
    "serde_json",
    "serde_saphyr",
    "thiserror",
    "tokio",
    "tokio_util",
    "tower_test",
    "tracing",
    "tracing_subscriber",
];

/// Directories that cargo creates in a target directory.
const ARTIFACTS: &[&str] = &["build", "deps", "examples", "incremental"];

/// File names reserved on Windows, whatever their extension.
const DEVICES: &[&str] = &[
    "aux", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "con", "lpt1",
    "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "nul", "prn",
];

/// Prelude of edition 2024.
const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Box",
    "Clone",
    "Copy",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
];

/// Names imported by the files of an API.
const IMPORTS: &[&str] = &["Deserialize", "JsonSchema", "Serialize"];

/// Returns a module name for a name of lower-case letters, digits, `-`, `.` and `_`.
///
/// Appends an underscore to keywords, to crate names (whose `use` would be ambiguous), to `bin` and `lib` (special to cargo) and to reserved
/// names of Windows.
pub(super) fn module(name: &str) -> String {
    let module = name.replace(['-', '.'], "_");
    let taken = [KEYWORDS, SYSROOT, DEPENDENCIES, DEVICES, &["bin", "lib"]];
    if taken.iter().any(|list| list.contains(&module.as_str())) {
        module + "_"
    } else {
        module
    }
}

/// Returns why a type cannot have this name.
pub(super) fn type_rejection(name: &str) -> Option<&'static str> {
    if name == "Self" {
        Some("is a Rust keyword")
    } else if PRELUDE.contains(&name) {
        Some("would shadow a name of the Rust prelude in generated code")
    } else if IMPORTS.contains(&name) {
        Some("conflicts with an import of the generated code")
    } else {
        None
    }
}

/// Returns why a package cannot have this name.
pub(super) fn package_rejection(name: &str) -> Option<&'static str> {
    let lib = name.replace('-', "_");
    let lib = lib.as_str();
    if KEYWORDS.contains(&lib) {
        Some("is a Rust keyword, which is invalid as a Cargo package name")
    } else if lib == "test" || SYSROOT.contains(&lib) {
        Some("is a crate of the Rust distribution")
    } else if ARTIFACTS.contains(&lib) {
        Some("conflicts with a directory that Cargo creates in `target`")
    } else if DEPENDENCIES.contains(&lib) {
        Some("conflicts with a dependency of the generated project")
    } else if DEVICES.contains(&lib) {
        Some("is a reserved file name on Windows, which is invalid as a Cargo package name")
    } else if lib == "crdgen" {
        Some("conflicts with another binary of the generated project")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appends_an_underscore_to_reserved_modules() {
        for (name, expected) in [
            ("app-service", "app_service"),
            ("rbac.authorization", "rbac_authorization"),
            ("type", "type_"),
            ("gen", "gen_"),
            ("self", "self_"),
            ("core", "core_"),
            ("kube", "kube_"),
            ("k8s-openapi", "k8s_openapi_"),
            ("bin", "bin_"),
            ("lib", "lib_"),
            ("aux", "aux_"),
            ("union", "union"),
            ("default", "default"),
        ] {
            assert_eq!(module(name), expected);
        }
    }

    #[test]
    fn lists_are_sorted_without_duplicates() {
        for list in [
            KEYWORDS,
            SYSROOT,
            DEPENDENCIES,
            ARTIFACTS,
            DEVICES,
            PRELUDE,
            IMPORTS,
        ] {
            assert!(list.is_sorted_by(|a, b| a < b), "{list:?}");
        }
    }
}
