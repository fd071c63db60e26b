//! `#[kb::rbac(...)]`: parsing and spans. Validation is tested in `model`.

use kb_markers::{RbacRule, is_rbac, read_rbac};
use kb_model::rbac::{Argument, Location};
use proc_macro2::{Span, TokenStream};

fn read(arguments: &str) -> syn::Result<RbacRule> {
    let tokens: TokenStream = arguments.parse().expect("tokens");
    read_rbac(tokens, Span::call_site())
}

/// Returns the errors: message and token.
fn errors(arguments: &str) -> Vec<(String, String)> {
    let errors = read(arguments).expect_err("a mistake");
    let errors = errors.into_iter().map(|error| {
        let at = error.span().source_text().unwrap_or_default();
        (error.to_string(), at)
    });
    errors.collect()
}

#[test]
fn reads_lists_with_semicolons_or_brackets() {
    let one = read(
        r#"groups = "apps", resources = "deployments; deployments/status", verbs = "get;list""#,
    );
    let other = read(
        r#"groups = ["apps"], resources = ["deployments", "deployments/status",], verbs = ["get", "list"]"#,
    );
    assert_eq!(one.unwrap().rule, other.unwrap().rule);
}

#[test]
fn the_core_group_has_two_names() {
    for groups in [r#""""#, r#""core""#, r#"[""]"#, r#"["core"]"#] {
        let read = read(&format!(
            r#"groups = {groups}, resources = "pods", verbs = "get""#
        ));
        assert_eq!(read.unwrap().rule.groups, [""], "{groups}");
    }
}

#[test]
fn reads_every_argument() {
    let rule = read(
        r#"groups = "core", resources = "secrets", resource_names = "key", verbs = "get", namespace = "shop", role_name = "reader", reason = "Keys are read.""#,
    )
    .unwrap()
    .rule;
    assert_eq!(rule.resource_names, ["key"]);
    assert_eq!(rule.namespace.as_deref(), Some("shop"));
    assert_eq!(rule.role_name.as_deref(), Some("reader"));
    assert_eq!(rule.reason.as_deref(), Some("Keys are read."));
    let rule = read(r#"urls = "/metrics", verbs = "get""#).unwrap().rule;
    assert_eq!(rule.urls, ["/metrics"]);
}

#[test]
fn returns_the_spans_of_parts() {
    let read = read(r#"groups = "apps", resources = ["deployments", "replicasets"], verbs = "get;list", reason = "why""#).unwrap();
    let text = |location| read.span(location).source_text().unwrap_or_default();
    assert_eq!(
        text(Location::Entry(Argument::Resources, 1)),
        "\"replicasets\""
    );
    assert_eq!(text(Location::Entry(Argument::Verbs, 1)), "\"get;list\"");
    assert_eq!(text(Location::Argument(Argument::Groups)), "groups");
    assert_eq!(text(Location::Argument(Argument::Reason)), "\"why\"");
}

#[test]
fn reports_all_errors_at_their_tokens() {
    let found = errors(
        r#"groups = ["apps", "app"], resources = "deployments", verbs = "get;lsit", namespace = "A""#,
    );
    let at: Vec<&str> = found.iter().map(|(_, at)| at.as_str()).collect();
    assert_eq!(at, ["\"app\"", "\"A\"", "\"get;lsit\""]);
    let found = errors(r#"group = "apps", verbs = get, verbs = "list", reason"#);
    let at: Vec<&str> = found.iter().map(|(_, at)| at.as_str()).collect();
    assert_eq!(at, ["group", "get", "verbs", "reason"]);
}

#[test]
fn a_stray_semicolon_does_not_grant_the_core_group() {
    let found = errors(r#"groups = "apps;", resources = "deployments", verbs = "get""#);
    assert_eq!(
        found[0].0,
        "empty entry in `groups`\nhelp: use `core` for the core group"
    );
    let read = read(r#"groups = ["", "apps"], resources = "pods;deployments", verbs = "get""#);
    assert_eq!(read.unwrap().rule.groups, ["", "apps"]);
}

#[test]
fn recognizes_the_attribute_by_path() {
    for (path, expected) in [
        ("kb::rbac", true),
        ("::kb::rbac", true),
        ("rbac", true),
        ("::rbac", false),
        ("other::rbac", false),
        ("kb::object", false),
    ] {
        assert_eq!(is_rbac(&syn::parse_str(path).unwrap()), expected, "{path}");
    }
}
