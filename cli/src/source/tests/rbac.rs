//! Rules of the role: in files that were read before, beside the attributes of an API, and in odd workspaces.

use super::super::{Diagnostic, Files, RuleCache, SourceRule, read_rules};
use super::support::{complete, lib, line, tree};
use crate::plan::RelPath;

const WORKSPACE: (&str, &str) = ("Cargo.toml", "[workspace]\nmembers = [\"api\"]\n");

fn rule(resource: &str) -> String {
    format!(
        "#[kb::rbac(groups = \"example.com\", resources = \"{resource}\", verbs = \"get\")]\nfn {resource}() {{}}\n"
    )
}

fn resources(rules: &[SourceRule]) -> Vec<&str> {
    let mut all: Vec<&str> = rules
        .iter()
        .map(|written| written.rule.resources[0].as_str())
        .collect();
    all.sort_unstable();
    all
}

fn found(files: &[(&str, &str)]) -> Vec<String> {
    let rules = read_rules(&tree(files), RuleCache::default());
    let rules = rules.unwrap_or_else(|errors| panic!("{errors:#?}")).rules;
    resources(&rules)
        .into_iter()
        .map(ToOwned::to_owned)
        .collect()
}

fn mistakes(files: &[(&str, &str)]) -> Vec<String> {
    let errors: Vec<Diagnostic> = read_rules(&tree(files), RuleCache::default()).unwrap_err();
    errors.iter().map(line).collect()
}

/// Files of which the sources must not be asked for again.
struct OnlyManifests(super::support::Memory);

impl Files for OnlyManifests {
    fn text(&self, path: &RelPath) -> Result<Option<String>, String> {
        assert!(!path.as_str().ends_with("lib.rs"), "{path} is read again");
        self.0.text(path)
    }

    fn entries(&self, folder: Option<&RelPath>) -> Result<Vec<RelPath>, String> {
        self.0.entries(folder)
    }
}

#[test]
fn a_file_that_was_read_for_its_types_is_not_read_again() {
    let lib = lib("pub a: i32,", &format!("mod more;\n{}", rule("apis")));
    let more = rule("mores");
    let files = [
        WORKSPACE,
        ("api/src/lib.rs", &lib),
        ("api/src/more.rs", &more),
    ];
    let known = complete(&files).rules;
    let rules = read_rules(&OnlyManifests(tree(&files)), known)
        .unwrap()
        .rules;
    assert_eq!(resources(&rules), ["apis", "mores"]);
}

#[test]
fn a_rule_on_a_type_of_an_api_is_no_reason_to_compile_it() {
    let rule = "#[kb::rbac(groups = \"core\", resources = \"pods\", verbs = \"get\")]\n";
    let conditional = "#[cfg_attr(feature = \"a\", kb::rbac(groups = \"core\", resources = \"pods\", verbs = \"get\"))]\n";
    complete(&[(
        "api/src/lib.rs",
        &format!("{rule}{conditional}{}", lib("pub a: i32,", "")),
    )]);
}

#[test]
fn members_are_found_by_name_and_pattern_and_can_be_left_out() {
    let package = "[package]\nname = \"p\"\n";
    let (one, two, out, kb) = (rule("ones"), rule("twos"), rule("outs"), rule("kbs"));
    let found = found(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"./one\", \"more/t*\", \"vendor/*\"]\nexclude = [\"more/two-out\"]\n",
        ),
        ("one/Cargo.toml", package),
        ("one/src/lib.rs", &one),
        ("more/two/Cargo.toml", package),
        ("more/two/src/main.rs", &two),
        ("more/two-out/Cargo.toml", package),
        ("more/two-out/src/lib.rs", &out),
        ("more/other/Cargo.toml", package),
        ("more/other/src/lib.rs", &out),
        ("vendor/kb/Cargo.toml", "[package]\nname = \"kb-runtime\"\n"),
        ("vendor/kb/src/lib.rs", &kb),
    ]);
    assert_eq!(found, ["ones", "twos"]);
}

#[test]
fn what_is_wrong_with_a_workspace_is_said() {
    let member = |pattern: &str| {
        let manifest = format!("[workspace]\nmembers = [\"{pattern}\"]\n");
        mistakes(&[("Cargo.toml", &manifest)])
    };
    assert_eq!(
        member("gone"),
        ["gone/Cargo.toml:0:0: there is no such file"]
    );
    assert_eq!(
        member("a/**"),
        ["Cargo.toml:0:0: the member `a/**` is a pattern that kb-rs cannot read"]
    );
    assert_eq!(mistakes(&[]), ["Cargo.toml:0:0: there is no such file"]);
    assert_eq!(
        mistakes(&[("Cargo.toml", "unreadable")]),
        ["Cargo.toml:0:0: cannot be read"]
    );
    let named = "[package]\nname = \"p\"\n[lib]\npath = \"x.rs\"\n";
    assert_eq!(
        mistakes(&[("Cargo.toml", named)]),
        ["x.rs:0:0: there is no such file"]
    );
}

#[test]
fn a_module_that_contains_itself_ends() {
    let root = "#[path = \"lib.rs\"]\nmod again;\n";
    assert_eq!(
        found(&[
            WORKSPACE,
            ("api/src/lib.rs", &format!("{root}{}", rule("ones")))
        ]),
        ["ones"]
    );
}

#[test]
fn a_file_that_is_for_tests_alone_has_no_rules() {
    let inner = format!("#![cfg(test)]\n{}", rule("tests"));
    let files = [
        WORKSPACE,
        ("api/src/lib.rs", "mod inner;"),
        ("api/src/inner.rs", inner.as_str()),
    ];
    assert_eq!(found(&files), [""; 0]);
}

#[test]
fn a_rule_on_something_else_is_a_mistake_everywhere() {
    let rule = "#[kb::rbac(groups = \"core\", resources = \"pods\", verbs = \"get\")]";
    let lib = format!(
        "{rule}\nconst A: u8 = 1;\nimpl X {{\n    {rule}\n    const B: u8 = 1;\n}}\ntrait T {{\n    {rule}\n    fn f();\n}}\n"
    );
    let places: Vec<String> = mistakes(&[WORKSPACE, ("api/src/lib.rs", &lib)])
        .into_iter()
        .map(|line| line.split(": ").next().unwrap().to_owned())
        .collect();
    assert_eq!(
        places,
        [
            "api/src/lib.rs:1:1",
            "api/src/lib.rs:4:5",
            "api/src/lib.rs:8:5"
        ]
    );
}
