//! RBAC markers: cached files, API types, and unusual workspaces.

use kb_model::rbac::Rule;

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

fn errors(files: &[(&str, &str)]) -> Vec<String> {
    let errors: Vec<Diagnostic> = read_rules(&tree(files), RuleCache::default()).unwrap_err();
    errors.iter().map(line).collect()
}

/// Files whose sources must not be read again.
struct OnlyManifests(super::support::Memory);

impl Files for OnlyManifests {
    fn text(&self, path: &RelPath) -> Result<Option<String>, String> {
        assert!(!path.as_str().ends_with("lib.rs"), "{path} is read again");
        self.0.text(path)
    }

    fn entries(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, String> {
        self.0.entries(dir)
    }
}

#[test]
fn does_not_read_a_cached_file_again() {
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
fn markers_on_api_types_need_no_fallback() {
    let rule = "#[kb::rbac(groups = \"core\", resources = \"pods\", verbs = \"get\")]\n";
    let conditional = "#[cfg_attr(feature = \"a\", kb::rbac(groups = \"core\", resources = \"pods\", verbs = \"get\"))]\n";
    complete(&[(
        "api/src/lib.rs",
        &format!("{rule}{conditional}{}", lib("pub a: i32,", "")),
    )]);
}

#[test]
fn reads_compact_rules() {
    let lib = "\
#[kb::rbac(\"apps/deployments\": get, list, *, reason = \"to read Deployments\")]
#[cfg_attr(feature = \"a\", kb::rbac(\"/metrics\": get))]
fn f() {}
";
    let files = [WORKSPACE, ("api/src/lib.rs", lib)];
    let permissions = read_rules(&tree(&files), RuleCache::default()).unwrap();
    let [deployments, metrics] = &permissions.rules[..] else {
        panic!("{permissions:#?}");
    };
    assert_eq!(
        deployments.rule,
        Rule {
            groups: vec!["apps".to_owned()],
            resources: vec!["deployments".to_owned()],
            verbs: ["get", "list", "*"].map(ToOwned::to_owned).to_vec(),
            reason: Some("to read Deployments".to_owned()),
            ..Rule::default()
        }
    );
    assert_eq!(line(&deployments.location), "api/src/lib.rs:1:32: ");
    assert_eq!(metrics.rule.urls, ["/metrics"]);
    assert_eq!(line(&metrics.location), "api/src/lib.rs:2:48: ");
    let wide: Vec<String> = permissions.wide.iter().map(line).collect();
    assert_eq!(wide, ["api/src/lib.rs:1:43: this rule allows every verb"]);
}

#[test]
fn reports_errors_of_compact_rules() {
    let lib = "#[kb::rbac(\"pods\": get, lsit)]\nfn f() {}\n";
    assert_eq!(
        errors(&[WORKSPACE, ("api/src/lib.rs", lib)]),
        [
            "api/src/lib.rs:1:12: missing group in `pods`",
            "api/src/lib.rs:1:25: unknown verb `lsit`"
        ]
    );
}

#[test]
fn matches_members_and_exclusions() {
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
fn reports_errors_of_the_workspace() {
    let member = |pattern: &str| {
        let manifest = format!("[workspace]\nmembers = [\"{pattern}\"]\n");
        errors(&[("Cargo.toml", &manifest)])
    };
    assert_eq!(member("gone"), ["gone/Cargo.toml:0:0: file not found"]);
    assert_eq!(
        member("a/**"),
        ["Cargo.toml:0:0: unsupported pattern `a/**` in `workspace.members`"]
    );
    assert_eq!(errors(&[]), ["Cargo.toml:0:0: file not found"]);
    assert_eq!(
        errors(&[("Cargo.toml", "unreadable")]),
        ["Cargo.toml:0:0: cannot be read"]
    );
    let named = "[package]\nname = \"p\"\n[lib]\npath = \"x.rs\"\n";
    assert_eq!(
        errors(&[("Cargo.toml", named)]),
        ["x.rs:0:0: file not found"]
    );
}

#[test]
fn tolerates_circular_modules() {
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
fn skips_files_with_inner_cfg_test() {
    let inner = format!("#![cfg(test)]\n{}", rule("tests"));
    let files = [
        WORKSPACE,
        ("api/src/lib.rs", "mod inner;"),
        ("api/src/inner.rs", inner.as_str()),
    ];
    assert_eq!(found(&files), [""; 0]);
}

#[test]
fn rejects_markers_on_other_items() {
    let rule = "#[kb::rbac(groups = \"core\", resources = \"pods\", verbs = \"get\")]";
    let lib = format!(
        "{rule}\nconst A: u8 = 1;\nimpl X {{\n    {rule}\n    const B: u8 = 1;\n}}\ntrait T {{\n    {rule}\n    fn f();\n}}\n"
    );
    let places: Vec<String> = errors(&[WORKSPACE, ("api/src/lib.rs", &lib)])
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
