//! Invalid PROJECT files and their problems.

use std::fmt::Write as _;

use kb_rs::project::ProjectFile;
use snapbox::{assert_data_eq, file};

/// Files with a valid version and layout, by name.
const FIELDS: &[(&str, &str)] = &[
    ("missing name", ""),
    (
        "mistyped fields",
        "projectName: 'A B'\nmultigroup: maybe\nrepo: [a]\nplugins: {rust.kb-rs.dev/v1: {kbSource: []}}\n",
    ),
    (
        "invalid resources",
        "projectName: a
resources:
- {kind: [], version: v1}
- group: a
- text
- {kind: foo, version: v1, owns: [{kind: A}], controllers: [{name: a b}]}
",
    ),
    (
        "path that is not a Rust module",
        "projectName: a\nresources: [{kind: A, version: v1, path: 'std::process; //'}]\n",
    ),
    (
        "invalid image",
        "projectName: a
resources:
- {kind: A, version: v1, image: {image: 'a b', containerPort: 0, containerCommand: ',', runAsUser: root}}
- {kind: B, version: v1, image: {image: []}}
",
    ),
    ("duplicate field", "projectName: a\nprojectName: b\n"),
    (
        "duplicate resource",
        "projectName: a\nresources: [{kind: A, version: v1}, {kind: A, version: v1}]\n",
    ),
    (
        "duplicate controller",
        "projectName: a\nresources: [{kind: A, version: v1, controllers: [{name: abc}, {name: abc}]}]\n",
    ),
    ("invalid YAML", "projectName: a\n  b: c\n"),
    ("two documents", "projectName: a\n---\nb: c\n"),
    ("custom tag", "projectName: a\nb: !custom c\n"),
];

/// Files that are not of this version or layout, by name.
const FILES: &[(&str, &str)] = &[
    ("empty file", ""),
    ("comments only", "\n# only a comment\n---\n"),
    ("list", "- a\n"),
    ("newer format", "projectName: A_B\nversion: \"4\"\n"),
    ("older format", "projectName: A_B\nversion: \"2\"\n"),
    ("mistyped format", "projectName: A_B\nversion: []\n"),
    ("no format", "projectName: A_B\n"),
    ("no layout", "projectName: A_B\nversion: \"3\"\n"),
    (
        "newer layout",
        "layout: rust.kb-rs.dev/v2\nprojectName: A_B\nversion: 3\n",
    ),
    (
        "Go project",
        "layout:\n- go.kubebuilder.io/v4\nversion: 3\n",
    ),
    ("other tool", "layout: helm.example.com/v1\nversion: 3\n"),
];

fn problems(text: &str) -> String {
    ProjectFile::parse(text).unwrap_err().to_string()
}

#[test]
fn reports_every_problem() {
    let mut report = String::new();
    let fields = FIELDS.iter().map(|(name, fields)| {
        let text = format!("version: 3\nlayout: rust.kb-rs.dev/v1\n{fields}");
        (name, problems(&text))
    });
    let files = FILES.iter().map(|(name, text)| (name, problems(text)));
    for (name, problems) in fields.chain(files) {
        let _ = writeln!(report, "# {name}\n{problems}\n");
    }
    assert_data_eq!(report, file!["../snapshots/project/problems.txt"]);
}

#[test]
fn limits_nesting_and_alias_expansion() {
    let start = "version: 3\nlayout: rust.kb-rs.dev/v1\nprojectName: a\n";
    problems(&format!("{start}b: {}", "[".repeat(100_000)));
    let mut bomb = format!("{start}a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..10 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        let _ = writeln!(bomb, "a{level}: &a{level} [{aliases}]");
    }
    problems(&bomb);
}
