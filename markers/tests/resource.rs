//! `#[kb::resource(...)]`: valid and invalid uses.

mod support;

use kb_model::api::SpecLayout;
use serde_json::{Value, json};
use support::{assert_rejected, check_errors, columns, parse, resource};

const NAMES: &str = r#"group = "batch.example.com", version = "v1alpha1", kind = "AppService""#;

/// Returns the JSON of a kind with these additional arguments and fields.
fn kind_of(arguments: &str, fields: &str) -> Value {
    let source = format!(
        "/// Docs.\n#[kb::resource({NAMES}, {arguments})] struct AppServiceSpec {{ {fields} }}"
    );
    support::json(&resource(&source).resource)
}

#[track_caller]
fn assert_kind_rejected(arguments: &str, expected: &[(&str, &str)]) {
    assert_rejected(
        &format!("#[kb::resource({NAMES}, {arguments})] struct FooSpec {{}}"),
        expected,
    );
}

#[test]
fn requires_only_group_version_and_kind() {
    let expected = json!({
        "group": "batch.example.com",
        "version": "v1alpha1",
        "kind": "AppService",
        "plural": "appservices",
        "singular": "appservice",
        "listKind": "AppServiceList",
        "scope": "Namespaced",
        "docs": "Docs.",
        "spec": 1,
        "specLayout": "required",
        "statusSubresource": false,
        "served": true,
    });
    assert_eq!(kind_of("", "x: i32"), expected);
}

#[test]
fn reads_each_argument() {
    for [arguments, key, expected] in columns(include_str!("data/resource.tsv")) {
        let found = &kind_of(arguments, "x: i32")[key];
        assert_eq!(*found, parse(expected), "{arguments}");
    }
    assert_eq!(kind_of("doc = \"\"", "").get("docs"), None);
}

#[test]
fn rules_of_a_kind_without_spec_refer_to_its_fields() {
    let kind = kind_of(
        "no_spec, at_most_one_of(my_a, b)",
        "my_a: Option<i32>, b: Option<i32>",
    );
    assert_eq!(kind["marks"]["one_of"][0]["fields"], json!(["myA", "b"]));
}

#[test]
fn includes_the_types_of_spec_and_status() {
    let read = resource(&format!(
        "#[kb::resource({NAMES}, status = Status)] struct AppServiceSpec {{ x: i32, s: Status }}"
    ));
    let types: Vec<String> = read
        .object
        .types
        .iter()
        .map(|ty| quote::ToTokens::to_token_stream(ty).to_string())
        .collect();
    assert_eq!(types, ["i32", "Status", "AppServiceSpec"]);
    assert_eq!((read.resource.spec, read.resource.status), (2, Some(1)));
    assert_eq!(read.resource.spec_layout, SpecLayout::Required);
    assert_eq!(read.object.def.name, "AppServiceSpec");
    assert!(read.object.default);
    let by_hand = resource(&format!(
        "#[kb::resource({NAMES}, default = false)] struct AppServiceSpec {{}}"
    ));
    assert!(!by_hand.object.default);
}

#[test]
fn reports_all_missing_arguments() {
    assert_rejected(
        "#[kb::resource()] struct FooSpec {}",
        &[
            (
                "FooSpec",
                "missing argument `group`\nhelp: add `group = \"batch.example.com\"`",
            ),
            (
                "FooSpec",
                "missing argument `version`\nhelp: add `version = \"v1alpha1\"`",
            ),
            (
                "FooSpec",
                "missing argument `kind`\nhelp: add `kind = \"AppService\"`",
            ),
        ],
    );
}

#[test]
fn validates_names_like_the_model() {
    assert_rejected(
        r#"#[kb::resource(group = "Batch", version = "1", kind = "foo-bar")] struct FooSpec {}"#,
        &[
            (
                "\"Batch\"",
                "API group \"Batch\" contains the upper-case letter 'B'\nhelp: try `batch`",
            ),
            (
                "\"1\"",
                "version \"1\" starts with the digit '1'\nhelp: use at most 63 lower-case letters, digits and '-', starting with a letter, such as `v1alpha1`",
            ),
            (
                "\"foo-bar\"",
                "kind \"foo-bar\" contains the character '-'\nhelp: try `FooBar`",
            ),
        ],
    );
    assert_rejected(
        r#"#[kb::resource(group = "batch", version = "v1", kind = "Foo")] struct Foo {}"#,
        &[
            (
                "\"batch\"",
                "API group \"batch\" has no dot, which custom resources require\nhelp: use a group with a dot, such as `batch.example.com`",
            ),
            (
                "\"Foo\"",
                "the spec cannot have the name of the kind, `Foo`\nhelp: rename the struct to `FooSpec`",
            ),
        ],
    );
    assert_rejected(
        r#"#[kb::resource(group = "x.k8s.io", version = "v1", kind = "Foo")] struct FooSpec {}"#,
        &[(
            "\"x.k8s.io\"",
            "the group `x.k8s.io` is reserved for the Kubernetes project\nhelp: use another group, or add `annotations(\"api-approved.kubernetes.io\" = \"unapproved, ..\")`",
        )],
    );
    assert_kind_rejected(
        "short_name = \"Foo\"",
        &[(
            "\"Foo\"",
            "short name \"Foo\" contains the upper-case letter 'F'\nhelp: try `foo`",
        )],
    );
    assert_kind_rejected(
        "list_kind = \"foos\"",
        &[(
            "\"foos\"",
            "list kind \"foos\" starts with the lower-case letter 'f'\nhelp: try `Foos`",
        )],
    );
    assert_kind_rejected("categories = [\"a\", \"a\"]", &[("\"a\"", "duplicate `a`")]);
}

#[test]
fn reports_each_invalid_argument_at_its_token() {
    check_errors("resource-errors.tsv", |source| {
        format!("#[kb::resource({NAMES}, {source})] struct FooSpec {{}}")
    });
}

#[test]
fn rejects_items_that_cannot_be_a_spec() {
    assert_rejected(
        &format!("#[kb::resource({NAMES})] struct FooSpec<T> {{ x: Option<T> }}"),
        &[("T", "the spec of a kind cannot be generic")],
    );
    assert_rejected(
        &format!("#[kb::resource({NAMES})] enum FooSpec {{ A, B }}"),
        &[(
            "FooSpec",
            "expected a struct as spec, found an enum of strings",
        )],
    );
    assert_rejected(
        &format!(
            "#[kb::resource({NAMES}, no_spec)] struct FooSpec {{ metadata: Option<i32>, #[serde(rename = \"kind\")] x: i32 }}"
        ),
        &[
            (
                "metadata",
                "with `no_spec`, the field name `metadata` is reserved\nhelp: rename the field, or remove `no_spec`",
            ),
            (
                "x",
                "with `no_spec`, the field name `kind` is reserved\nhelp: rename the field, or remove `no_spec`",
            ),
        ],
    );
    assert_rejected(
        &format!("#[kb::resource({NAMES})] fn foo() {{}}"),
        &[("", "`#[kb::resource]` applies only to structs and enums")],
    );
}

#[test]
fn reports_errors_of_attribute_and_fields_together() {
    assert_rejected(
        &format!("#[kb::resource({NAMES}, foo)] struct FooSpec {{ #[kb(minimun = 1)] x: i32 }}"),
        &[
            (
                "foo",
                "unknown argument `foo`\nhelp: use `#[kb(..)]` for markers of the spec and its fields",
            ),
            (
                "minimun",
                "unknown marker `minimun`\nhelp: did you mean `minimum`?",
            ),
        ],
    );
}
