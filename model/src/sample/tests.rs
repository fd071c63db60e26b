//! Tests of single rules. `scaffold-tests` compares samples with a real API server.

use serde_json::{Value, json};

use super::sample;

/// Returns the sample value of a required field `mountPath` with this schema.
#[track_caller]
fn sample_value(schema: &Value) -> Value {
    let properties = json!({ "mountPath": schema });
    sample_object(json!({ "required": ["mountPath"], "properties": properties }))["mountPath"]
        .clone()
}

/// Returns the sample of an object.
#[track_caller]
fn sample_object(mut schema: Value) -> Value {
    schema["type"] = "object".into();
    let root = json!({ "type": "object", "required": ["spec"], "properties": { "spec": schema } });
    sample(&root)["spec"].clone()
}

#[track_caller]
fn check(cases: impl IntoIterator<Item = (Value, Value)>) {
    for (schema, expected) in cases {
        assert_eq!(sample_value(&schema), expected, "{schema}");
    }
}

#[test]
fn sets_required_fields_and_fields_with_default_or_example() {
    let spec = json!({
        "required": ["image"],
        "properties": {
            "image": { "type": "string" },
            "replicas": { "type": "integer", "default": 2 },
            "host": { "type": "string", "example": "www.example.com" },
            "left": { "type": "string" },
            "empty": { "type": "string", "default": "" },
            "none": { "type": "string", "nullable": true, "default": null },
        },
    });
    let expected = json!({ "image": "image", "replicas": 2, "host": "www.example.com" });
    assert_eq!(sample_object(spec), expected);
}

#[test]
fn always_sets_the_spec_but_neither_metadata_nor_status() {
    let root = json!({
        "type": "object",
        "required": ["metadata", "status", "text"],
        "properties": {
            "apiVersion": { "type": "string", "default": "v1" },
            "kind": { "type": "string" },
            "metadata": { "type": "object" },
            "status": { "type": "object" },
            "spec": { "type": "object", "properties": { "size": { "type": "integer", "default": 3 } } },
            "text": { "type": "string" },
        },
    });
    let expected = json!({ "spec": { "size": 3 }, "text": "text" });
    assert_eq!(Value::Object(sample(&root)), expected);
}

#[test]
fn prefers_example_over_default_over_enum() {
    check([
        (
            json!({ "type": "string", "enum": ["a", "b", "c"], "default": "b", "example": "c" }),
            json!("c"),
        ),
        (
            json!({ "type": "string", "enum": ["a", "b"], "default": "b" }),
            json!("b"),
        ),
        (json!({ "type": "string", "enum": ["a", "b"] }), json!("a")),
        (
            json!({ "nullable": true, "type": "string", "enum": [null, "b"] }),
            json!("b"),
        ),
        (
            json!({ "type": "string", "allOf": [{ "enum": ["a", "b"] }, { "enum": ["b"] }] }),
            json!("b"),
        ),
        (
            json!({ "type": "object", "default": { "a": 1 }, "required": ["b"] }),
            json!({ "a": 1 }),
        ),
    ]);
}

#[test]
fn numbers_respect_bounds() {
    let integer = |mut more: Value| {
        more["type"] = "integer".into();
        more
    };
    let number = |mut more: Value| {
        more["type"] = "number".into();
        more
    };
    check([
        (integer(json!({})), json!(1)),
        (integer(json!({ "minimum": 5 })), json!(5)),
        (
            integer(json!({ "minimum": 5, "exclusiveMinimum": true })),
            json!(6),
        ),
        (integer(json!({ "maximum": -5 })), json!(-5)),
        (
            integer(json!({ "maximum": 1, "exclusiveMaximum": true })),
            json!(0),
        ),
        (integer(json!({ "minimum": 4.5 })), json!(5)),
        (integer(json!({ "multipleOf": 5 })), json!(5)),
        (integer(json!({ "minimum": 6, "multipleOf": 5 })), json!(10)),
        (
            integer(json!({ "maximum": -1, "multipleOf": 5 })),
            json!(-5),
        ),
        (
            integer(json!({ "multipleOf": 4, "allOf": [{ "multipleOf": 6 }, { "minimum": 13 }] })),
            json!(24),
        ),
        (
            integer(json!({ "allOf": [{ "minimum": 2 }, { "minimum": 3 }] })),
            json!(3),
        ),
        (
            integer(json!({ "format": "int32", "minimum": 2_147_483_647 })),
            json!(2_147_483_647),
        ),
        (number(json!({})), json!(1)),
        (number(json!({ "minimum": 1.5 })), json!(1.5)),
        (
            number(json!({ "minimum": 2, "exclusiveMinimum": true })),
            json!(3),
        ),
        (
            number(json!({ "maximum": 0, "exclusiveMaximum": true })),
            json!(-1),
        ),
        (
            number(
                json!({ "minimum": 0, "exclusiveMinimum": true, "maximum": 1, "exclusiveMaximum": true }),
            ),
            json!(0.5),
        ),
        (
            number(json!({ "minimum": 1, "maximum": 1.5, "exclusiveMaximum": true })),
            json!(1.25),
        ),
        (number(json!({ "multipleOf": 0.5 })), json!(1.5)),
        (number(json!({ "multipleOf": 2, "maximum": 3 })), json!(2)),
        (
            number(json!({ "multipleOf": 0.5, "minimum": 1.1 })),
            json!(1.5),
        ),
        (json!({ "type": "boolean" }), json!(false)),
    ]);
}

#[test]
fn derives_unconstrained_strings_from_the_field_name() {
    check([
        (json!({ "type": "string" }), json!("mount-path")),
        (
            json!({ "type": "string", "format": "password" }),
            json!("mount-path"),
        ),
        (
            json!({ "type": "string", "minLength": 12 }),
            json!("mount-path-mount-path"),
        ),
        (json!({ "type": "string", "maxLength": 6 }), json!("mountx")),
        (json!({ "type": "string", "maxLength": 1 }), json!("m")),
        (json!({ "type": "string", "maxLength": 0 }), json!("")),
        (
            json!({ "type": "string", "minLength": 12, "maxLength": 13 }),
            json!("mount-path-mo"),
        ),
        (
            json!({ "type": "string", "allOf": [{ "maxLength": 8 }, { "maxLength": 4 }] }),
            json!("moun"),
        ),
    ]);
    let odd = json!({
        "required": ["größe", "2nd", "日本"],
        "properties": { "größe": { "type": "string" }, "2nd": { "type": "string" }, "日本": { "type": "string" } },
    });
    let expected = json!({ "größe": "gre", "2nd": "sample", "日本": "sample" });
    assert_eq!(sample_object(odd), expected);
}

#[test]
fn strings_match_their_pattern() {
    let text = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    check([
        (text("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"), json!("mount-path")),
        (text("^[a-z]+$"), json!("a")),
        (text(r"^v\d+\.\d+$"), json!("v1.1")),
        (text("^(GET|POST)$"), json!("GET")),
        (text("^[0-9]*$"), json!("1")),
        (text("^[A-F0-9]{4}-x{2,}$"), json!("1111-xx")),
        (text("(?i)^TRUE$"), json!("true")),
        (text("^/"), json!("/")),
        (text(r"\.git$"), json!(".git")),
        (text(r"^a\b-\bend\B$"), json!("mount-path")),
        (text(r"^a\b-\bend\b$"), json!("a-end")),
        (text("^ä{2}$"), json!("ää")),
        // Invalid or contradictory.
        (text("^(?=a)"), json!("mount-path")),
        (text("a^"), json!("mount-path")),
    ]);
    check([
        (
            json!({ "type": "string", "pattern": "^[0-9]+$", "minLength": 3, "maxLength": 4 }),
            json!("111"),
        ),
        (
            json!({ "type": "string", "pattern": "^x", "allOf": [{ "pattern": "^[xy]+$" }] }),
            json!("x"),
        ),
        (
            json!({ "type": "string", "format": "uri", "pattern": "/2$" }),
            json!("https://example.com/2"),
        ),
    ]);
}

#[test]
fn every_restrictive_format_has_examples() {
    for format in crate::fit::formats("string") {
        let is_name = ["password", "k8s-short-name", "k8s-long-name"].contains(format);
        let text = sample_value(&json!({ "type": "string", "format": format }));
        assert_eq!(text == "mount-path", is_name, "{format}: {text}");
    }
}

#[test]
fn lists_have_one_element_or_the_required_number() {
    let list = |mut more: Value, items: Value| {
        more["type"] = "array".into();
        more["items"] = items;
        more
    };
    let text = || json!({ "type": "string" });
    let port = json!({
        "type": "object",
        "required": ["name", "port"],
        "properties": {
            "name": { "type": "string", "example": "web" },
            "port": { "type": "integer" },
            "protocol": { "type": "string", "default": "TCP" },
        },
    });
    check([
        (list(json!({}), text()), json!(["mount-path"])),
        (list(json!({ "maxItems": 0 }), text()), json!([])),
        (
            list(json!({ "minItems": 3 }), json!({ "type": "integer" })),
            json!([1, 1, 1]),
        ),
        (
            list(
                json!({ "minItems": 3, "x-kubernetes-list-type": "set" }),
                text(),
            ),
            json!(["mount-path", "mount-path-2", "mount-path-3"]),
        ),
        (
            list(
                json!({ "minItems": 2, "uniqueItems": true }),
                json!({ "type": "boolean" }),
            ),
            json!([false, true]),
        ),
        (
            list(
                json!({ "minItems": 3, "x-kubernetes-list-type": "set" }),
                json!({ "type": "integer", "minimum": 8, "maximum": 10 }),
            ),
            json!([8, 9, 10]),
        ),
        (
            list(
                json!({ "minItems": 3, "x-kubernetes-list-type": "set" }),
                json!({ "type": "integer", "maximum": 1 }),
            ),
            json!([1, 0, -1]),
        ),
        (
            list(
                json!({ "minItems": 3, "x-kubernetes-list-type": "set" }),
                json!({ "type": "string", "pattern": "^[0-9]$" }),
            ),
            json!(["1", "2", "3"]),
        ),
        (
            list(
                json!({ "minItems": 2, "x-kubernetes-list-type": "set" }),
                json!({ "type": "string", "enum": ["a", "b"], "default": "b" }),
            ),
            json!(["b", "a"]),
        ),
        (
            list(
                json!({ "minItems": 2, "x-kubernetes-list-type": "set" }),
                json!({ "type": "string", "maxLength": 1 }),
            ),
            json!(["m", "b"]),
        ),
        (
            list(
                json!({ "minItems": 2, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port"] }),
                port,
            ),
            json!([
                { "name": "web", "port": 1, "protocol": "TCP" },
                { "name": "web", "port": 2, "protocol": "TCP" },
            ]),
        ),
    ]);
}

#[test]
fn maps_have_one_entry_or_the_required_number() {
    let map = |mut more: Value| {
        more["type"] = "object".into();
        more["additionalProperties"] = json!({ "type": "string", "maxLength": 9 });
        more
    };
    check([
        (map(json!({})), json!({ "key": "value" })),
        (
            map(json!({ "minProperties": 2 })),
            json!({ "key": "value", "key-2": "value" }),
        ),
        (map(json!({ "maxProperties": 0 })), json!({})),
    ]);
}

#[test]
fn open_values_are_empty_objects_and_embedded_resources_have_a_name() {
    check([
        (
            json!({ "x-kubernetes-preserve-unknown-fields": true }),
            json!({}),
        ),
        (
            json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true }),
            json!({}),
        ),
        (
            json!({ "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true }),
            json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "sample" } }),
        ),
        (
            json!({
                "x-kubernetes-int-or-string": true,
                "anyOf": [{ "type": "integer" }, { "type": "string" }],
                "pattern": "^[0-9]+%$",
            }),
            json!(1),
        ),
        (
            json!({ "x-kubernetes-int-or-string": true, "maxLength": 3 }),
            json!(1),
        ),
    ]);
}

/// Three optional strings.
fn abc(mut more: Value) -> Value {
    for name in ["a", "b", "c"] {
        more["properties"][name]["type"] = "string".into();
    }
    more
}

#[test]
fn satisfies_exactly_one_branch() {
    let one_of = || json!([{ "required": ["a"] }, { "required": ["b"] }]);
    for (schema, expected) in [
        (json!({ "oneOf": one_of() }), json!({ "a": "a" })),
        // Chosen by the user.
        (
            json!({ "oneOf": one_of(), "properties": { "b": { "example": "x" } } }),
            json!({ "b": "x" }),
        ),
        (
            json!({ "oneOf": one_of(), "required": ["b"] }),
            json!({ "b": "b" }),
        ),
        (
            json!({ "oneOf": one_of(), "properties": { "a": { "example": "x" }, "b": { "default": "y" } } }),
            json!({ "a": "x" }),
        ),
        // None, if possible.
        (
            json!({ "oneOf": [{ "required": ["a"] }, { "not": { "anyOf": [{ "required": ["a"] }] } }] }),
            json!({}),
        ),
        (
            json!({ "allOf": [{ "oneOf": one_of() }, { "oneOf": [{ "required": ["b"] }, { "required": ["c"] }] }] }),
            json!({ "a": "a", "c": "c" }),
        ),
        (json!({ "anyOf": one_of() }), json!({ "a": "a" })),
        (
            json!({ "not": { "required": ["a"] }, "properties": { "a": { "default": "x" } } }),
            json!({}),
        ),
        (
            json!({ "oneOf": [{ "required": ["a"], "properties": { "a": { "maxLength": 0 } } }] }),
            json!({ "a": "" }),
        ),
    ] {
        assert_eq!(sample_object(abc(schema.clone())), expected, "{schema}");
    }
}

#[test]
fn satisfies_one_of_rules() {
    let sum = |end: &str| format!("(has(self.a)?1:0)+(has(self.b)?1:0) {end}");
    for (rules, more, expected) in [
        (vec![sum("== 1")], json!({}), json!({ "a": "a" })),
        (vec![sum("<= 1")], json!({}), json!({})),
        (
            vec!["has(self.b)||has(self.c)".to_owned()],
            json!({}),
            json!({ "b": "b" }),
        ),
        (
            vec!["has(self.c)".to_owned()],
            json!({}),
            json!({ "c": "c" }),
        ),
        (
            vec![sum("== 1")],
            json!({ "b": { "example": "x" } }),
            json!({ "b": "x" }),
        ),
        (
            vec![sum("<= 1")],
            json!({ "a": { "default": "x" }, "b": { "default": "y" } }),
            json!({ "a": "x" }),
        ),
        (
            vec!["has(self.b)||has(self.a)".to_owned(), sum("== 1")],
            json!({}),
            json!({ "a": "a" }),
        ),
        // Other rules are ignored.
        (
            vec!["!has(self.a)".to_owned(), "has(self.nothing)".to_owned()],
            json!({}),
            json!({}),
        ),
    ] {
        let rules: Vec<Value> = rules
            .into_iter()
            .map(|rule| json!({ "rule": rule }))
            .collect();
        let schema = json!({ "x-kubernetes-validations": rules, "properties": more });
        assert_eq!(sample_object(abc(schema.clone())), expected, "{schema}");
    }
    let escaped = json!({
        "properties": { "last-resort": { "type": "string" } },
        "x-kubernetes-validations": [{ "rule": "has(self.last__dash__resort)" }],
    });
    assert_eq!(
        sample_object(escaped),
        json!({ "last-resort": "last-resort" })
    );
}

#[test]
fn objects_respect_min_and_max_properties() {
    let defaults = json!({ "b": { "default": "x" }, "c": { "default": "y" } });
    for (schema, expected) in [
        (json!({ "minProperties": 2 }), json!({ "a": "a", "b": "b" })),
        (
            json!({ "maxProperties": 2, "required": ["a"], "properties": defaults }),
            json!({ "a": "a", "b": "x" }),
        ),
    ] {
        assert_eq!(sample_object(abc(schema.clone())), expected, "{schema}");
    }
}
