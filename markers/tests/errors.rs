//! Errors of markers: message and token. The cases are in `data/errors.tsv`.

mod support;

use support::{check_errors, field, object, refused};

#[test]
fn each_error_has_its_message_at_its_token() {
    check_errors("errors.tsv", |source| {
        if syn::parse_str::<syn::Item>(source).is_ok() {
            source.to_owned()
        } else {
            format!("struct Foo {{ {source} }}")
        }
    });
}

#[test]
fn what_re2_can_compile_is_taken() {
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
fn a_type_that_is_not_looked_at_may_be_anything() {
    object(
        "struct Foo { #[kb(schemaless)] x: (f64, i128), #[serde(skip)] y: fn(), #[kb(allow_float)] z: Vec<f64> }",
    );
}

#[test]
fn attributes_of_other_crates_are_refused_with_our_spelling() {
    refused(
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
fn all_errors_come_at_once() {
    refused(
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
