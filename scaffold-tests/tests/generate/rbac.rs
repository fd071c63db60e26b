//! The role: where rules are found, how they are written, and what is refused.

use crate::project::{MARK, Project, ROLE};

/// A rule on a function, in the words of the attribute.
fn on_function(name: &str, arguments: &str) -> String {
    format!("#[kb::rbac({arguments})]\nfn {name}() {{}}\n")
}

/// A project with a manager, whose `main.rs` is this.
fn with_manager(main: &str) -> Project {
    let project = Project::new(&[]);
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

/// The resources that the role names.
fn resources(project: &Project) -> Vec<String> {
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
    let run = project.succeed("generate");
    assert!(
        run.stdout.contains(&format!("create {ROLE}")),
        "{}",
        run.stdout
    );
    assert_eq!(
        project.read(ROLE),
        format!(
            "{MARK}---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: manager-role
rules:
# Apps run in them.
- apiGroups:
  - apps
  resources:
  - deployments
  verbs:
  - create
  - patch
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: reader
  namespace: shop
rules:
- apiGroups:
  - \"\"
  resources:
  - secrets
  verbs:
  - get
"
        )
    );
    project.refused("generate", 0, &["nothing to change"]);
    let run = project.succeed("generate rbac --role-name other --output-dir deploy");
    assert_eq!(run.stdout.trim(), "create deploy/role.yaml");
    assert!(project.read("deploy/role.yaml").contains("  name: other\n"));
}

#[test]
fn without_rules_the_role_allows_nothing() {
    let project = Project::new(&["Job"]);
    project.succeed("generate rbac");
    assert!(
        project
            .read(ROLE)
            .ends_with("  name: manager-role\nrules: []\n")
    );
    assert!(!project.has("config/crd/bases"));
}

#[test]
fn rules_of_all_packages_and_programs_are_found() {
    let rule = |resource: &str| {
        on_function(
            "f",
            &format!("groups = \"example.com\", resources = \"{resource}\", verbs = \"get\""),
        )
    };
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
fn rules_are_found_wherever_code_is_and_not_in_tests() {
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
        let arguments =
            format!("groups = \"example.com\", resources = \"{resource}\", verbs = \"get\"");
        project.write(file, &on_function("f", &arguments));
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
fn a_file_that_two_crates_have_counts_once() {
    let project = with_manager("mod shared;\n");
    project.write("src/lib.rs", "pub mod shared;\n");
    let rule = on_function(
        "f",
        "groups = \"core\", resources = \"secrets\", verbs = \"get\"",
    );
    project.write("src/shared.rs", &rule);
    let run = project.succeed("generate rbac");
    assert_eq!(
        run.stderr.matches("every Secret").count(),
        1,
        "{}",
        run.stderr
    );
}

#[test]
fn mistakes_of_types_and_rules_come_at_once() {
    let project = with_manager(&on_function(
        "f",
        "groups = \"apps\", resources = \"deployment\", verbs = \"get\"",
    ));
    project.kind("Job", "A job.");
    project.list_kinds(&["Job"]);
    let text = project.read("api/src/job.rs").replace(
        "    pub replicas",
        "    #[kb(minimun = 1)]\n    pub replicas",
    );
    project.write("api/src/job.rs", &text);
    project.refused(
        "generate",
        1,
        &[
            "minimun",
            "the group `apps` has no resource `deployment`",
            "--> src/main.rs:1:41",
            "1 | #[kb::rbac(groups = \"apps\", resources = \"deployment\", verbs = \"get\")]",
            "did you mean `deployments`?",
        ],
    );
}

#[test]
fn a_file_that_does_not_parse_is_never_skipped() {
    let project = with_manager("mod broken;\nmod missing;\n");
    project.write("src/broken.rs", "fn one() {}\nfn {\n");
    project.refused(
        "generate",
        1,
        &[
            "--> src/broken.rs:2:4",
            "there is no file for the module `missing`",
            "create src/missing.rs or src/missing/mod.rs",
        ],
    );
    project.write("api/src/lib.rs", "fn {\n");
    let run = project.refused("generate", 1, &["--> api/src/lib.rs:1:4"]);
    assert_eq!(
        run.stderr.matches("api/src/lib.rs").count(),
        1,
        "{}",
        run.stderr
    );
}

#[test]
fn packages_that_are_not_there_are_said() {
    let project = with_manager("");
    std::fs::remove_file(project.path("api/Cargo.toml")).unwrap();
    project.refused(
        "generate rbac",
        1,
        &["api/Cargo.toml", "a Cargo.toml of the project leads to it"],
    );
    std::fs::remove_file(project.path("Cargo.toml")).unwrap();
    project.refused(
        "generate rbac",
        1,
        &["--> Cargo.toml", "rules are read from the packages"],
    );
}

#[test]
fn wide_rules_are_warned_of_or_refused() {
    let project = with_manager(
        "#[kb::rbac(groups = \"*\", resources = \"pods\", verbs = \"get\")]\n\
         #[kb::rbac(groups = \"core\", resources = \"secrets\", verbs = \"list;*\")]\nfn f() {}\n",
    );
    let said = [
        "this rule allows every group",
        "--> src/main.rs:1:21",
        "this rule reaches every Secret of the cluster",
        "--> src/main.rs:2:41",
        "this rule allows every verb",
        "--> src/main.rs:2:60",
    ];
    let run = project.succeed("generate");
    assert_eq!(run.stderr.matches("warning: ").count(), 3, "{}", run.stderr);
    for expected in said {
        assert!(run.stderr.contains(expected), "{expected}\n{}", run.stderr);
    }
    let run = project.refused("generate --deny-wildcards", 1, &said);
    assert_eq!(run.stderr.matches("error: ").count(), 3, "{}", run.stderr);
}

#[test]
fn a_role_that_is_not_up_to_date_is_found() {
    let project = with_manager("");
    project.succeed("generate");
    project.succeed("generate rbac --check");
    project.write(
        "src/main.rs",
        &on_function(
            "f",
            "groups = \"core\", resources = \"pods\", verbs = \"get\"",
        ),
    );
    let run = project.refused("generate rbac --check", 1, &["1 file is not up to date"]);
    assert!(run.stdout.contains("+  - pods"), "{}", run.stdout);
    let run = project.refused("generate --dry-run", 0, &["nothing was written"]);
    assert_eq!(run.stdout.trim(), format!("modify {ROLE}"));
    let run = project.refused("generate rbac --diff", 0, &[]);
    assert!(run.stdout.contains("+  - pods"), "{}", run.stdout);
    project.write("header.txt", "Copyright us.\n");
    project.succeed("generate rbac --header-file header.txt");
    assert!(
        project
            .read(ROLE)
            .starts_with(&format!("# Copyright us.\n{MARK}---\n"))
    );
}

#[test]
fn a_role_that_kb_rs_did_not_make_stays() {
    let project = with_manager("");
    project.write(ROLE, "kind: ClusterRole\n");
    project.refused(
        "generate",
        1,
        &[
            "config/rbac/role.yaml exists already, and was not made by `kb-rs generate`",
            "move it away",
        ],
    );
    project.succeed("generate crd");
}

#[test]
fn what_kb_rs_cannot_see_is_said() {
    let project = with_manager(
        "macro_rules! m { ($($t:tt)*) => { $($t)* } }\n\
         m! {\n    #[kb::rbac(groups = \"core\", resources = \"pods\", verbs = \"get\")]\n    fn f() {}\n}\n",
    );
    let run = project.succeed("generate rbac");
    assert!(
        run.stderr.contains("a rule inside of a macro is not seen"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("--> src/main.rs:3:11"),
        "{}",
        run.stderr
    );
    project.write("src/main.rs", "use kb::{RbacRule, rbac as permit};\n");
    project.refused(
        "generate rbac",
        1,
        &["another name", "--> src/main.rs:1:24"],
    );
}
