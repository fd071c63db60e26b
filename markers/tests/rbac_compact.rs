//! The compact form of `#[kb::rbac(...)]`: what is read, where its parts are, and that rustfmt keeps it on one line.

use std::io::Write;
use std::process::{Command, Stdio};

use kb_markers::{RbacRule, read_rbac};
use kb_model::rbac::{Argument, Location, Rule, breadth};
use proc_macro2::{Span, TokenStream};

fn read(arguments: &str) -> syn::Result<RbacRule> {
    let tokens: TokenStream = arguments.parse().expect("tokens");
    read_rbac(tokens, Span::call_site())
}

fn rule(arguments: &str) -> Rule {
    let read = read(arguments);
    read.unwrap_or_else(|error| panic!("{arguments}: {error}"))
        .rule
}

/// Returns the errors without help, each with the text at its position.
fn errors(arguments: &str) -> Vec<(String, String)> {
    let errors = read(arguments).expect_err("a mistake");
    let found = errors.into_iter().map(|error| {
        let at = error.span().source_text().unwrap_or_default();
        let message = error.to_string();
        let (message, _) = message
            .split_once("\nhelp: ")
            .expect("every error has help");
        (at, message.to_owned())
    });
    found.collect()
}

fn assert_errors(arguments: &str, expected: &[(&str, &str)]) {
    let found = errors(arguments);
    let found: Vec<(&str, &str)> = found.iter().map(|(at, text)| (&**at, &**text)).collect();
    assert_eq!(found, expected, "{arguments}");
}

#[test]
fn both_forms_are_the_same_rule() {
    for (compact, named) in [
        (
            r#""apps/deployments": get, list, watch, create, patch"#,
            r#"groups = "apps", resources = "deployments", verbs = "get;list;watch;create;patch""#,
        ),
        (
            r#""core/pods/log": get, reason = "to show logs""#,
            r#"groups = "core", resources = "pods/log", verbs = "get", reason = "to show logs""#,
        ),
        (
            r#""batch.example.com/appservices/status": patch,"#,
            r#"groups = "batch.example.com", resources = "appservices/status", verbs = "patch""#,
        ),
        (r#""/metrics": get"#, r#"urls = "/metrics", verbs = "get""#),
        (r#""/apps": *"#, r#"urls = "/apps", verbs = "*""#),
        (
            r#""core/configmaps": get, resource_names = "settings", namespace = "shop-system", role_name = "reader","#,
            r#"groups = "core", resources = "configmaps", resource_names = "settings", verbs = "get", namespace = "shop-system", role_name = "reader""#,
        ),
        (
            r#""core/configmaps": get, resource_names = ["a", "b"]"#,
            r#"groups = "core", resources = "configmaps", resource_names = "a;b", verbs = "get""#,
        ),
        (
            r#""*/*": *, get"#,
            r#"groups = "*", resources = "*", verbs = "*;get""#,
        ),
    ] {
        assert_eq!(rule(compact), rule(named), "{compact}");
    }
}

#[test]
fn keywords_and_words_with_punctuation_are_verbs() {
    let rule = rule(
        r#""core/users": use, impersonate:user-info, impersonate-on:user-info:list, unsafe-delete-ignore-read-errors"#,
    );
    assert_eq!(
        rule.verbs,
        [
            "use",
            "impersonate:user-info",
            "impersonate-on:user-info:list",
            "unsafe-delete-ignore-read-errors"
        ]
    );
}

#[test]
fn a_formatted_rule_is_read_back() {
    for arguments in [
        r#""apps/deployments": get, impersonate-on:user-info:list, *"#,
        r#""/metrics": get, head, reason = "to \"scrape\"""#,
        r#""core/pods/log": get, resource_names = "a;b", namespace = "shop", role_name = "reader", reason = "why""#,
    ] {
        let rule = rule(arguments);
        assert_eq!(rule.compact().unwrap(), format!("#[kb::rbac({arguments})]"));
    }
}

#[test]
fn returns_the_spans_of_parts() {
    let read = read(
        r#""core/pods": get, bind, impersonate:user-info, resource_names = "a", reason = "why""#,
    )
    .unwrap();
    let text = |location| read.span(location).source_text().unwrap_or_default();
    for argument in [Argument::Groups, Argument::Resources] {
        assert_eq!(text(Location::Argument(argument)), "\"core/pods\"");
        assert_eq!(text(Location::Entry(argument, 0)), "\"core/pods\"");
    }
    assert_eq!(text(Location::Entry(Argument::Verbs, 1)), "bind");
    assert_eq!(
        text(Location::Entry(Argument::Verbs, 2)),
        "impersonate:user-info"
    );
    assert_eq!(
        text(Location::Argument(Argument::Verbs)),
        "get, bind, impersonate:user-info"
    );
    assert_eq!(
        text(Location::Argument(Argument::ResourceNames)),
        "resource_names"
    );
    assert_eq!(text(Location::Entry(Argument::ResourceNames, 0)), "\"a\"");
    assert_eq!(text(Location::Argument(Argument::Reason)), "\"why\"");
}

#[test]
fn returns_the_spans_of_urls_and_warnings() {
    let url = read(r#""/*": get"#).unwrap();
    let wide = breadth(&url.rule);
    let at = url.span(wide[0].location).source_text();
    assert_eq!(at.as_deref(), Some("\"/*\""));
    let verbs = read(r#""core/pods": get, *"#).unwrap();
    let wide = breadth(&verbs.rule);
    let at = verbs.span(wide[0].location).source_text();
    assert_eq!(at.as_deref(), Some("*"));
}

#[test]
fn errors_point_to_the_subject_or_the_verb() {
    assert_errors(
        r#""apps/deployment": get, lsit, namespace = "A""#,
        &[
            (
                "\"apps/deployment\"",
                "the group `apps` has no resource `deployment`",
            ),
            (
                "\"A\"",
                "namespace \"A\" contains the upper-case letter 'A'",
            ),
            ("lsit", "unknown verb `lsit`"),
        ],
    );
    assert_errors(
        r#""/metrics": list, namespace = "shop", resource_names = "a""#,
        &[
            ("list", "invalid verb `list` for URLs"),
            (
                "\"shop\"",
                "`namespace` conflicts with a URL: only a ClusterRole can allow URLs",
            ),
            (
                "resource_names",
                "`resource_names` requires a resource, found a URL",
            ),
        ],
    );
}

#[test]
fn syntax_errors_are_collected_with_those_of_names() {
    assert_errors(
        r#""pods": "get;gte", lsit; watch; watch, groups = "core", resaon = "why", create"#,
        &[
            ("\"pods\"", "missing group in `pods`"),
            ("\"get;gte\"", "expected a verb, found a string"),
            (";", "expected `,`, found `;`"),
            ("watch", "duplicate verb `watch`"),
            ("groups", "`groups` conflicts with the compact form"),
            ("resaon", "`rbac` has no argument `resaon`"),
            ("create", "expected an argument, found `create`"),
            ("\"get;gte\"", "unknown verb `gte`"),
            ("lsit", "unknown verb `lsit`"),
        ],
    );
}

#[test]
fn verbs_are_required() {
    for arguments in [
        r#""core/pods""#,
        r#""core/pods":"#,
        r#""core/pods": reason = "why""#,
    ] {
        assert_errors(arguments, &[("\"core/pods\"", "missing verbs")]);
    }
    assert_errors(
        r#""core/pods", verbs = "get""#,
        &[
            (",", "expected `:` after the resource"),
            ("verbs", "`verbs` conflicts with the compact form"),
        ],
    );
}

#[test]
fn punctuation_errors_are_reported_once() {
    for (arguments, at, message) in [
        (
            r#""core/pods", get, list"#,
            ",",
            "expected `:` after the resource",
        ),
        (
            r#""core/pods" = get"#,
            "=",
            "expected `:` after the resource",
        ),
        (
            r#""core/pods" get"#,
            "get",
            "expected `:` after the resource",
        ),
        (r#""core/pods": get list"#, "list", "expected `,`"),
        (
            r#""core/pods": get;list;watch;"#,
            ";",
            "expected `,`, found `;`",
        ),
        (r#""core/pods": get,, list"#, ",", "expected a verb"),
        (r#""core/pods": get, 1 2 3, list"#, "1", "expected a verb"),
        (r#""core/pods": get, [list]"#, "[list]", "expected a verb"),
        (
            "core/pods: get",
            "core/pods",
            "the resource must be a string",
        ),
        ("/metrics: get", "/metrics", "the resource must be a string"),
        (
            r#""core/pods": get, "core/secrets": lsit, x = 1"#,
            "\"core/secrets\"",
            "expected a verb, found another resource",
        ),
        (
            r#"groups = "core", "core/pods": get, list"#,
            "\"core/pods\"",
            "the resource must come first",
        ),
    ] {
        assert_errors(arguments, &[(at, message)]);
    }
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the test compares with the output of rustfmt"
)]
fn rustfmt_keeps_long_rules_on_one_line() {
    let source = r#"#[kb::rbac("batch.example.com/appservices": get, list, watch, create, update, use, *, reason = "to apply AppServices")]
fn function() {}

impl Controller {
    #[kb::rbac("core/configmaps": get, resource_names = "settings", namespace = "shop-system", role_name = "reader")]
    #[cfg_attr(feature = "metrics", kb::rbac("/metrics": get, reason = "to read the metrics of the API server itself"))]
    fn method(&self) {}
}
"#;
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = rustfmt.stdin.take().unwrap();
    input.write_all(source.as_bytes()).unwrap();
    drop(input);
    let output = rustfmt.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), source);
}
