//! The table of markers that say what a value may be: for each, values that pass and values that do not.

use serde_json::json;

use crate::row::{Row, check, row};

fn numbers() -> Vec<Row> {
    vec![
        row(&["minimum"], "minimum")
            .accepts(1)
            .accepts(i64::MAX)
            .refuses(0, "greater than or equal to 1")
            .refuses("1", "must be of type integer")
            .refuses(1.5, "must be of type integer"),
        row(&["maximum"], "maximum")
            .accepts(10)
            .accepts(i64::MIN)
            .refuses(11, "less than or equal to 10"),
        row(&["exclusive_minimum", "minimum"], "above")
            .accepts(1)
            .refuses(0, "greater than 0"),
        row(&["exclusive_maximum", "maximum"], "below")
            .accepts(99)
            .refuses(100, "less than 100"),
        row(&["multiple_of"], "multiple")
            .accepts(0)
            .accepts(-8)
            .refuses(6, "multiple of 4"),
        row(&["allow_float", "minimum"], "ratio")
            .accepts(0.5)
            .accepts(7)
            .refuses(0.25, "greater than or equal to 0.5"),
        row(&[], "port")
            .accepts(0)
            .accepts(65535)
            .refuses(-1, "greater than or equal to 0")
            .refuses(65536, "less than or equal to 65535"),
        row(&["minimum", "maximum"], "percent")
            .accepts(100)
            .refuses(101, "less than or equal to 100"),
    ]
}

fn texts() -> Vec<Row> {
    vec![
        // Characters are counted, and not bytes.
        row(&["min_length"], "long")
            .accepts("ab")
            .refuses("ä", "at least 2 chars long"),
        row(&["max_length"], "short")
            .accepts("äöü")
            .accepts("")
            .refuses("abcd", "may not be more than 3"),
        row(&["pattern"], "word")
            .accepts("abc")
            .refuses("", "should match '^[a-z]+$'")
            .refuses("aBc", "should match '^[a-z]+$'"),
        row(&["format"], "address")
            .accepts("10.0.0.1")
            .refuses("10.0.0", "must be of type ipv4"),
        row(&["enum"], "size")
            .accepts("small")
            .refuses("Small", "supported values: \"small\", \"large\""),
        row(&["enum"], "factor")
            .accepts(4)
            .refuses(3, "Unsupported value: 3"),
        row(&["enum"], "phase")
            .accepts("Pending")
            .accepts("Done!")
            .refuses("Done", "supported values: \"Pending\", \"Done!\""),
    ]
}

fn lists() -> Vec<Row> {
    let port = |name: &str, protocol: &str| json!({"name": name, "protocol": protocol});
    vec![
        row(&["min_items"], "some")
            .accepts(json!(["a"]))
            .refuses(json!([]), "should have at least 1 items"),
        row(&["max_items"], "few")
            .accepts(json!([]))
            .accepts(json!(["a", "b"]))
            .refuses(json!(["a", "b", "c"]), "must have at most 2 items"),
        row(&["min_items", "max_items"], "corners")
            .accepts(json!([1, 2, 3]))
            .refuses(json!([1, 2]), "should have at least 3 items")
            .refuses(json!([1, 2, 3, 4]), "must have at most 3 items"),
        row(&["list_type"], "once")
            .accepts(json!(["a", "b"]))
            .refuses(json!(["a", "b", "a"]), "once[2]: Duplicate value: \"a\""),
        row(&["list_type"], "zones")
            .accepts(json!(["a"]))
            .refuses(json!(["a", "a"]), "zones[1]: Duplicate value: \"a\""),
        row(&["list_map_key", "list_type"], "ports")
            .accepts(json!([port("dns", "TCP"), port("dns", "UDP")]))
            .refuses(
                json!([port("dns", "TCP"), port("dns", "TCP")]),
                "ports[1]: Duplicate value",
            )
            // One has its key by default.
            .refuses(
                json!([port("dns", "TCP"), {"name": "dns"}]),
                "ports[1]: Duplicate value",
            )
            .refuses(
                json!([{"protocol": "TCP"}]),
                "ports[0].name: Required value",
            ),
        row(&["items", "cel"], "words")
            .accepts(json!(["abc", ""]))
            .refuses(json!(["a", "abcd"]), "words[1]: Too long")
            .refuses(
                json!(["no"]),
                "words[0]: Invalid value: \"no\": not this one",
            ),
        row(&["items"], "grid")
            .accepts(json!([[0, 1], []]))
            .refuses(json!([[0], [1, -1]]), "grid[1][1]")
            .refuses(json!([[1, 2, 3]]), "grid[0]: Too many"),
    ]
}

fn maps() -> Vec<Row> {
    vec![
        row(&["min_properties"], "labels")
            .accepts(json!({"a": ""}))
            .refuses(json!({}), "should have at least 1 properties"),
        row(&["max_properties"], "annotations")
            .accepts(json!({"a": "", "b": ""}))
            .refuses(
                json!({"a": "", "b": "", "c": ""}),
                "must have at most 2 items",
            ),
        row(&["values", "cel"], "counts")
            .accepts(json!({"a": 1}))
            .refuses(json!({"a": 1, "b": 0}), "counts.b: Invalid value: 0")
            .refuses(json!({"a": 13}), "bad luck"),
    ]
}

fn presence() -> Vec<Row> {
    let whole = || json!({"plain": 1, "said": 2});
    vec![
        row(&["nullable"], "perhaps")
            .accepts(json!(null))
            .accepts("text")
            .refuses(1, "must be of type string"),
        // Where null is no value, it is as good as absent.
        row(&["nullable"], "").becomes(
            json!({"perhaps": null, "plain": null}),
            json!({"perhaps": null}),
        ),
        row(&["nullable"], "holes")
            .accepts(json!([1, null]))
            .refuses(json!(["1"]), "holes[0]"),
        row(&["required", "optional"], "parts")
            .accepts(whole())
            .accepts(json!({"plain": 1, "said": 2, "hosts": []}))
            .refuses(json!({"said": 2}), "parts.plain: Required value")
            .refuses(json!({"plain": 1}), "parts.said: Required value"),
        row(&["immutable"], "fixed")
            .changes("a", "a")
            .stays("a", "b", "field is immutable"),
        // What is taken away is said of what it was in.
        row(&["immutable"], "")
            .changes(json!({}), json!({"fixed": "a"}))
            .stays(
                json!({"fixed": "a"}),
                json!({"fixed": null}),
                "field fixed is immutable once set",
            ),
    ]
}

fn free_content() -> Vec<Row> {
    let manifest = || json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"x": [null]}});
    let more = || json!({"name": "a", "more": {"deep": [1, null, {}]}});
    vec![
        row(&["preserve_unknown_fields"], "open")
            .accepts(more())
            .refuses(json!({"name": 1}), "open.name"),
        row(&["preserve_unknown_fields"], "closed").becomes(more(), json!({"name": "a"})),
        row(&["embedded_resource"], "manifest")
            .accepts(manifest())
            .refuses(
                json!({"kind": "Pod"}),
                "manifest.apiVersion: Required value",
            )
            .refuses(
                json!({"apiVersion": "v1", "metadata": {"name": "a"}}),
                "manifest.kind: Required value",
            )
            .refuses(
                json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a/b"}}),
                "manifest.metadata.name",
            ),
        row(&["int_or_string"], "target")
            .accepts(80)
            .accepts("http")
            .refuses(true, "target")
            .refuses(1.5, "target"),
        row(&["int_or_string", "schemaless"], "either")
            .accepts(1)
            .accepts("1")
            .refuses(json!([]), "either"),
        row(&["schemaless"], "anything")
            .accepts(1.5)
            .accepts(json!([1, "a", null]))
            .accepts(json!({"a": {"b": null}})),
        row(&["schema_type", "pattern"], "timeout")
            .accepts("5s")
            .refuses("5", "should match")
            .refuses(5, "must be of type string"),
        row(&["json_schema"], "foreign")
            .accepts(1)
            .refuses(0, "greater than or equal to 1"),
        row(&[], "storage")
            .accepts(json!({"memory": {}}))
            .accepts(json!({"disk": {"path": "/"}}))
            .refuses(json!({"memory": {}, "disk": {"path": "/"}}), "storage")
            .refuses(json!({}), "storage")
            .refuses(json!({"disk": {}}), "disk.path: Required value"),
    ]
}

/// All rows.
pub(crate) fn table() -> Vec<Row> {
    [
        numbers(),
        texts(),
        lists(),
        maps(),
        presence(),
        free_content(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[tokio::test]
async fn every_bound_lets_pass_what_it_says_and_refuses_the_rest() {
    check(table()).await;
}
