//! Files of modules.

use super::support::{complete, errors_of, field_type, line, only, read_tree, reference, spec};

const KIND: &str = "#[kb::resource(group = \"example.com\", version = \"v1\", kind = \"Foo\")]
pub struct FooSpec { pub a: i32 }";

fn definitions(path: &str) -> String {
    format!("pub fn definitions() -> Vec<kb::CrdDefinition> {{ vec![{path}::Foo::definition()] }}")
}

fn assert_found(root: &str, path: &str, file: &str) {
    let root = format!("{root}\n{}", definitions(path));
    let files = [("api/src/lib.rs", root.as_str()), (file, KIND)];
    assert_eq!(complete(&files).definitions.len(), 1, "{file}");
}

#[test]
fn finds_module_files_like_rustc() {
    assert_found("pub mod v1;", "v1", "api/src/v1.rs");
    assert_found("pub mod v1;", "v1", "api/src/v1/mod.rs");
    assert_found("pub mod a { pub mod v1; }", "a::v1", "api/src/a/v1.rs");
    assert_found(
        "pub mod a { pub mod b { pub mod v1; } }",
        "a::b::v1",
        "api/src/a/b/v1/mod.rs",
    );
    assert_found(
        "#[path = \"other/file.rs\"] pub mod v1;",
        "v1",
        "api/src/other/file.rs",
    );
    assert_found(
        "#[path = \"../types.rs\"] pub mod v1;",
        "v1",
        "api/types.rs",
    );
    assert_found(
        "pub mod a { #[path = \"x.rs\"] pub mod v1; }",
        "a::v1",
        "api/src/a/x.rs",
    );
    assert_found("pub mod r#type;", "r#type", "api/src/type.rs");
}

#[test]
fn finds_submodules_in_the_directory_of_the_module() {
    for (middle, inner) in [
        ("api/src/batch.rs", "api/src/batch/v1.rs"),
        ("api/src/batch/mod.rs", "api/src/batch/v1/mod.rs"),
    ] {
        let root = format!("pub mod batch;\n{}", definitions("batch::v1"));
        only(&[
            ("api/src/lib.rs", &root),
            (middle, "pub mod v1;"),
            (inner, KIND),
        ]);
    }
}

#[test]
fn finds_submodules_beside_a_file_with_path_attribute() {
    let root = format!(
        "#[path = \"x/y.rs\"] pub mod batch;\n{}",
        definitions("batch::v1")
    );
    let files = [
        ("api/src/lib.rs", root.as_str()),
        ("api/src/x/y.rs", "pub mod v1;"),
        ("api/src/x/v1.rs", KIND),
    ];
    only(&files);
}

#[test]
fn reads_the_crate_root_from_cargo_toml() {
    let manifest = "[package]\nname = \"api\"\n[lib]\nname = \"types\"\npath = \"types/root.rs\"\n";
    let root = format!("pub mod v1;\n{}", definitions("v1"));
    let definition = only(&[
        ("api/Cargo.toml", manifest),
        ("api/types/root.rs", &root),
        ("api/types/v1.rs", KIND),
    ]);
    assert_eq!(definition.resource.spec, reference("types::v1::FooSpec"));
}

#[test]
fn reads_the_scaffold() {
    let files = [
        (
            "api/src/lib.rs",
            "use kb::{CrdDefinition, CustomResourceDefinition};\npub mod v1;\n// +kb:scaffold:modules\n\n\
            pub fn definitions() -> Vec<CrdDefinition> {\n    vec![\n        v1::Foo::definition(),\n        // +kb:scaffold:crds\n    ]\n}\n\
            pub fn crds() -> Vec<CustomResourceDefinition> {\n    kb::crds(definitions())\n}\n",
        ),
        ("api/src/v1/mod.rs", "mod foo;\npub use foo::*;\n"),
        (
            "api/src/v1/foo.rs",
            "use kb::k8s_openapi::apimachinery::pkg::apis::meta;\n#[kb::resource(group = \"example.com\", version = \"v1\", kind = \"Foo\", status = FooStatus)]\n\
            pub struct FooSpec { pub a: Option<String> }\n#[kb::object]\npub struct FooStatus { #[kb(optional, list_map_key = \"type\")] pub conditions: Vec<meta::v1::Condition> }\n",
        ),
    ];
    let definition = only(&files);
    assert_eq!(definition.types.len(), 2);
    assert!(matches!(
        field_type(spec(&definition), "a"),
        kb_model::api::Type::Optional(_)
    ));
}

#[test]
fn reports_a_module_without_a_file() {
    let root = "mod v1;\npub fn definitions() -> Vec<kb::CrdDefinition> { vec![] }";
    let Err(errors) = read_tree(&[("api/src/lib.rs", root)]) else {
        panic!("no error");
    };
    assert_eq!(
        line(&errors[0]),
        "api/src/lib.rs:1:5: file not found for module `v1`"
    );
    let help = errors[0].help.as_deref();
    assert_eq!(help, Some("create api/src/v1.rs or api/src/v1/mod.rs"));
}

#[test]
fn reports_circular_modules() {
    let errors = errors_of(&[("api/src/lib.rs", "#[path = \"lib.rs\"] mod again;")]);
    assert_eq!(
        errors,
        ["api/src/lib.rs:1:24: circular modules: api/src/lib.rs contains itself as module `again`"]
    );
}

#[test]
fn reports_a_missing_crate() {
    assert_eq!(errors_of(&[]), ["api/src/lib.rs:0:0: file not found"]);
    let errors = errors_of(&[("api/Cargo.toml", "unreadable")]);
    assert_eq!(errors, ["api/Cargo.toml:0:0: cannot be read"]);
    let errors = errors_of(&[("api/Cargo.toml", "[package"), ("api/src/lib.rs", "")]);
    assert!(
        errors[0].starts_with("api/Cargo.toml:0:0: invalid TOML"),
        "{errors:?}"
    );
}
