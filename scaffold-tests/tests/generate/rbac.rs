//! The role of the manager: where rules are found, how they are written, and which are rejected.

use crate::api_project::{ApiProject, ROLE};

/// Returns a function with a rule.
fn rule(groups: &str, resources: &str, verbs: &str) -> String {
    format!(
        "#[kb::rbac(groups = \"{groups}\", resources = \"{resources}\", verbs = \"{verbs}\")]\nfn f() {{}}\n"
    )
}

/// Creates a project with a manager that has this `main.rs`.
fn with_manager(main: &str) -> ApiProject {
    let project = ApiProject::new(&[]);
    project.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"api\", \"crates/*\"]\n\n[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\ndemo-api = { path = \"api\" }\nbeside = { path = \"libs/beside\" }\n",
    );
    project.write("src/main.rs", main);
    project.write(
        "libs/beside/Cargo.toml",
        "[package]\nname = \"beside\"\nversion = \"0.1.0\"\n",
    );
    project.write("libs/beside/src/lib.rs", "");
    project
}

/// Returns the resources in the role.
fn resources(project: &ApiProject) -> Vec<String> {
    let run = project.succeed("generate rbac --stdout");
    let mut lines = run.stdout.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if line == "  resources:" {
            found.extend(
                lines
                    .by_ref()
                    .map_while(|line| line.strip_prefix("  - ").map(ToOwned::to_owned)),
            );
        }
    }
    found.sort();
    found
}

#[test]
fn the_role_has_the_rules_with_their_reasons() {
    let project = with_manager(
        "#[kb::rbac(groups = \"apps\", resources = \"deployments\", verbs = \"patch;create\", reason = \"Apps run in them.\")]\n\
         #[kb::rbac(groups = \"core\", resources = \"secrets\", verbs = \"get\", namespace = \"shop\", role_name = \"reader\")]\n\
         struct Controller;\n",
    );
    project.succeed("generate");
    project.assert_snapshot("role", &project.read(ROLE));
    project.succeed("generate --check");
    project.assert_output(
        "other_role",
        "generate rbac --role-name other --output-dir deploy",
    );
    let role = project.read("deploy/role.yaml");
    assert!(role.contains("  name: other\n"), "{role}");
}

#[test]
fn without_rules_the_role_allows_nothing() {
    let project = ApiProject::new(&["Job"]);
    project.succeed("generate rbac");
    let role = project.read(ROLE);
    assert!(
        role.ends_with("  name: manager-role\nrules: []\n"),
        "{role}"
    );
    assert!(!project.exists("config/crd/bases"));
}

#[test]
fn rules_of_all_packages_and_programs_are_found() {
    let rule = |resource: &str| rule("example.com", resource, "get");
    let project = with_manager(&rule("mains"));
    project.write("src/lib.rs", &rule("libs"));
    project.write("src/bin/tool.rs", &rule("tools"));
    project.write("src/bin/other/main.rs", &rule("others"));
    project.write("api/src/lib.rs", &rule("apis"));
    project.write("crates/one/Cargo.toml", "[package]\nname = \"one\"\n[lib]\npath = \"one.rs\"\n[[bin]]\nname = \"b\"\npath = \"b.rs\"\n");
    project.write("crates/one/one.rs", &rule("ones"));
    project.write("crates/one/b.rs", &rule("bs"));
    project.write("crates/no-package/notes.txt", "");
    project.write("libs/beside/src/lib.rs", &rule("besides"));
    project.write("libs/stranger/src/lib.rs", &rule("strangers"));
    project.write("tests/it.rs", &rule("tests"));
    project.write("examples/it.rs", &rule("examples"));
    let expected = [
        "apis", "besides", "bs", "libs", "mains", "ones", "others", "tools",
    ];
    assert_eq!(resources(&project), expected);
}

#[test]
fn rules_are_found_in_all_code_except_tests() {
    let project = with_manager(
        r#"
mod controller;
#[path = "elsewhere.rs"]
mod placed;
mod inline {
    mod below;
    #[kb::rbac(groups = "example.com", resources = "inlines", verbs = "get")]
    mod inner {}
}
#[cfg(test)]
mod tests {
    #[kb::rbac(groups = "example.com", resources = "tests", verbs = "get")]
    fn test() {}
}
#[cfg(test)]
mod test_file;
#[cfg(feature = "extra")]
mod extra;
#[cfg(feature = "gone")]
mod gone;
fn outer() {
    #[kb::rbac(groups = "example.com", resources = "nesteds", verbs = "get")]
    fn nested() {}
    #[cfg(test)]
    #[kb::rbac(groups = "example.com", resources = "tests", verbs = "get")]
    fn nested_test() {}
}
#[cfg_attr(feature = "extra", kb::rbac(groups = "example.com", resources = "conditionals", verbs = "get"))]
#[cfg_attr(test, kb::rbac(groups = "example.com", resources = "tests", verbs = "get"))]
fn conditional() {}
#[kb::rbac(groups = "example.com", resources = "doc-comments-below", verbs = "get")]
/// A comment.
enum Mode {}
"#,
    );
    project.write(
        "src/controller/mod.rs",
        "use kb::rbac;\nmod part;\nstruct C;\n#[rbac(groups = \"example.com\", resources = \"impls\", verbs = \"get\")]\nimpl C {\n    \
         #[::kb::rbac(groups = \"example.com\", resources = \"methods\", verbs = \"get\")]\n    fn f(&self) {}\n}\n\
         trait T {\n    #[rbac(groups = \"example.com\", resources = \"traits\", verbs = \"get\")]\n    fn f(&self) {}\n}\n",
    );
    for (file, resource) in [
        ("src/controller/part.rs", "parts"),
        ("src/elsewhere.rs", "placeds"),
        ("src/inline/below.rs", "belows"),
        ("src/test_file.rs", "tests"),
        ("src/extra.rs", "extras"),
        ("src/orphan.rs", "orphans"),
    ] {
        project.write(file, &rule("example.com", resource, "get"));
    }
    assert_eq!(
        resources(&project),
        [
            "belows",
            "conditionals",
            "doc-comments-below",
            "extras",
            "impls",
            "inlines",
            "methods",
            "nesteds",
            "parts",
            "placeds",
            "traits",
        ]
    );
}

#[test]
fn a_module_of_two_crates_is_read_once() {
    let project = with_manager("mod shared;\n");
    project.write("src/lib.rs", "pub mod shared;\n");
    project.write("src/shared.rs", &rule("core", "secrets", "get"));
    project.assert_output("shared_module", "generate rbac");
}

#[test]
fn mistakes_in_types_and_rules_are_reported_together() {
    let project = with_manager(&rule("apps", "deployment", "get"));
    project.write_kind("Job", "A job.");
    project.list_kinds(&["Job"]);
    project.misspell_marker();
    project.assert_rejected("mistakes_in_types_and_rules", 1, "generate");
}

#[test]
fn files_that_do_not_parse_are_rejected() {
    let project = with_manager("mod broken;\nmod missing;\n");
    project.write("src/broken.rs", "fn one() {}\nfn {\n");
    project.assert_rejected("malformed_and_missing_modules", 1, "generate");
    project.write("api/src/lib.rs", "fn {\n");
    project.assert_rejected("malformed_api_crate", 1, "generate");
}

#[test]
fn missing_packages_are_reported() {
    let project = with_manager("");
    project.remove("api/Cargo.toml");
    project.assert_rejected("missing_package", 1, "generate rbac");
    project.remove("Cargo.toml");
    project.assert_rejected("missing_workspace", 1, "generate rbac");
}

#[test]
fn wildcards_are_warnings_or_errors() {
    let project = with_manager(
        "#[kb::rbac(groups = \"*\", resources = \"pods\", verbs = \"get\")]\n\
         #[kb::rbac(groups = \"core\", resources = \"secrets\", verbs = \"list;*\")]\nfn f() {}\n",
    );
    project.assert_output("wildcards", "generate");
    project.assert_rejected("denied_wildcards", 1, "generate --deny-wildcards");
}

#[test]
fn check_finds_a_role_that_is_out_of_date() {
    let project = with_manager("");
    project.succeed("generate\ngenerate rbac --check");
    project.write("src/main.rs", &rule("core", "pods", "get"));
    project.assert_rejected("role_out_of_date", 1, "generate rbac --check");
    project.assert_unchanged("role_dry_run", "generate --dry-run\ngenerate rbac --diff");
}

#[test]
fn a_role_that_is_not_generated_is_kept() {
    let project = with_manager("");
    project.write(ROLE, "kind: ClusterRole\n");
    project.assert_rejected("foreign_role", 1, "generate");
    project.succeed("generate crd");
}

#[test]
fn rules_in_macros_and_aliases_are_reported() {
    let project = with_manager(&format!(
        "macro_rules! m {{ ($($t:tt)*) => {{ $($t)* }} }}\nm! {{\n    {}}}\n",
        rule("core", "pods", "get")
    ));
    project.assert_output("rule_in_a_macro", "generate rbac");
    project.write("src/main.rs", "use kb::{RbacRule, rbac as permit};\n");
    project.assert_rejected("alias_of_the_attribute", 1, "generate rbac");
}
