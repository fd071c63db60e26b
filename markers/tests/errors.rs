//! Errors of markers: message and token. The cases are in `data/errors.tsv`.

mod support;

use support::{assert_rejected, check_errors, field, object};

#[test]
fn reports_each_error_at_its_token() {
    check_errors("errors.tsv", |source| {
        if syn::parse_str::<syn::Item>(source).is_ok() {
            source.to_owned()
        } else {
            format!("struct Foo {{ {source} }}")
        }
    });
}

#[test]
fn accepts_re2_patterns() {
    for pattern in [
        "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        "(?i)a|b",
        "(?P<n>a{1,3})",
        r"\x{41}\pL[[:alpha:]]\bx",
        "a{1000}",
        "",
    ] {
        field(&format!("pattern = r\"{pattern}\""), "String");
    }
}

#[test]
fn ignores_types_without_derived_schema() {
    object(
        "struct Foo { #[kb(schemaless)] x: (f64, i128), #[serde(skip)] y: fn(), #[kb(allow_float)] z: Vec<f64> }",
    );
}

#[test]
fn rejects_foreign_attributes_with_the_equivalent() {
    assert_rejected(
        "struct Foo { #[schemars(range(min = 1), foo)] x: i32 }",
        &[
            (
                "range",
                "`#[schemars(range ..)]` has no effect: kb generates the schema\nhelp: use `#[kb(minimum = 1, maximum = 10)]`",
            ),
            (
                "foo",
                "`#[schemars(foo ..)]` has no effect: kb generates the schema\nhelp: remove it",
            ),
        ],
    );
    object("#[derive(Validate)] struct Foo { #[validate(range(min = 1))] #[garde(skip)] x: i32 }");
}

#[test]
fn reports_all_errors_together() {
    assert_rejected(
        "struct Foo { #[kb(minimun = 1, maximum = \"a\", min_length = 1)] x: i32, #[serde(with = \"m\")] y: i32, z: (i32, i32) }",
        &[
            (
                "minimun",
                "unknown marker `minimun`\nhelp: did you mean `minimum`?",
            ),
            (
                "\"a\"",
                "`maximum` expects a number\nhelp: use `maximum = 10`",
            ),
            (
                "min_length",
                "`min_length` requires a string, but `x` is an i32\nhelp: use `minimum` and `maximum`",
            ),
            (
                "with",
                "the schema of a type with a custom serializer (`with`) is unknown\nhelp: add the JSON type: `#[kb(schema_type = \"string\")]`",
            ),
            (
                "(i32, i32)",
                "tuples have no schema: list elements must have a single type\nhelp: use a struct with named fields",
            ),
        ],
    );
}
