//! Path dependencies.

use super::support::{field_type, line, only, read_tree, reasons_of, reference, spec};

const COMMON: &str =
    "pub mod net { #[kb::object] pub struct Port { pub number: i32 } } pub use net::*;";

fn with_dependency(dependency: &str, workspace: &str) -> Vec<(String, String)> {
    let manifest = format!("[package]\nname = \"api\"\n[dependencies]\nkb = \"1\"\n{dependency}\n");
    let lib = super::support::lib("pub field: shared::Port,", "");
    [
        ("Cargo.toml", workspace),
        ("api/Cargo.toml", &manifest),
        ("api/src/lib.rs", &lib),
        (
            "crates/common/Cargo.toml",
            "[package]\nname = \"shared\"\n[dependencies]\nkb = \"1\"\n",
        ),
        ("crates/common/src/lib.rs", COMMON),
    ]
    .map(|(path, text)| (path.to_owned(), text.to_owned()))
    .to_vec()
}

#[test]
fn reads_path_dependencies() {
    for (dependency, workspace) in [
        ("shared = { path = \"../crates/common\" }", "[workspace]\n"),
        (
            "shared.workspace = true",
            "[workspace]\n[workspace.dependencies]\nshared = { path = \"crates/common\" }\n",
        ),
        (
            "shared = { workspace = true }",
            "[workspace]\n[workspace.dependencies]\nshared = { path = \"./crates/common\", package = \"shared\" }\n",
        ),
    ] {
        let files = with_dependency(dependency, workspace);
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(p, t)| (p.as_str(), t.as_str()))
            .collect();
        let definition = only(&files);
        let field = field_type(spec(&definition), "field");
        assert_eq!(field, reference("shared::net::Port"), "{dependency}");
    }
}

#[test]
fn skips_unused_dependencies() {
    let lib = super::support::lib("pub field: i32,", "");
    let manifest = "[package]\nname = \"api\"\n[dependencies]\nother = { path = \"../other\" }\n";
    only(&[("api/Cargo.toml", manifest), ("api/src/lib.rs", &lib)]);
}

#[test]
fn locates_errors_in_dependencies() {
    let mut files = with_dependency("shared = { path = \"../crates/common\" }", "[workspace]\n");
    files[4].1 = "pub struct Port { pub number: i32 }".to_owned();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(p, t)| (p.as_str(), t.as_str()))
        .collect();
    let Err(errors) = read_tree(&files) else {
        panic!("no error");
    };
    assert_eq!(
        line(&errors[0]),
        "api/src/lib.rs:2:33: `Port` has no schema, so it cannot be used in an API"
    );
    let help = errors[0].help.as_deref();
    assert_eq!(
        help,
        Some("add `#[kb::object]` to it: crates/common/src/lib.rs:1")
    );
}

#[test]
fn falls_back_for_crates_outside_of_the_project() {
    for dependency in [
        "shared = \"1\"",
        "shared = { path = \"../../elsewhere\" }",
        "shared.workspace = true",
    ] {
        let files = with_dependency(dependency, "[workspace]\n");
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(p, t)| (p.as_str(), t.as_str()))
            .collect();
        assert_eq!(
            reasons_of(&files),
            ["api/src/lib.rs:2: `shared::Port` is a type of another crate"]
        );
    }
}
