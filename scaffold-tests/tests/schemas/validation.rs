//! Markers that validate values, with accepted and rejected values.

use serde_json::json;

use crate::row::{Row, check, row};

fn numbers() -> Vec<Row> {
    vec![
        row(&["minimum"], "minimum")
            .accepts(1)
            .accepts(i64::MAX)
            .rejects(0, "greater than or equal to 1")
            .rejects("1", "must be of type integer")
            .rejects(1.5, "must be of type integer"),
        row(&["maximum"], "maximum")
            .accepts(10)
            .accepts(i64::MIN)
            .rejects(11, "less than or equal to 10"),
        row(&["exclusive_minimum", "minimum"], "above")
            .accepts(1)
            .rejects(0, "greater than 0"),
        row(&["exclusive_maximum", "maximum"], "below")
            .accepts(99)
            .rejects(100, "less than 100"),
        row(&["multiple_of"], "multiple")
            .accepts(0)
            .accepts(-8)
            .rejects(6, "multiple of 4"),
        row(&["allow_float", "minimum"], "ratio")
            .accepts(0.5)
            .accepts(7)
            .rejects(0.25, "greater than or equal to 0.5"),
        row(&[], "port")
            .accepts(0)
            .accepts(65535)
            .rejects(-1, "greater than or equal to 0")
            .rejects(65536, "less than or equal to 65535"),
        row(&["minimum", "maximum"], "percent")
            .accepts(100)
            .rejects(101, "less than or equal to 100"),
    ]
}

fn texts() -> Vec<Row> {
    vec![
        // Lengths count characters, not bytes.
        row(&["min_length"], "long")
            .accepts("ab")
            .rejects("ä", "at least 2 chars long"),
        row(&["max_length"], "short")
            .accepts("äöü")
            .accepts("")
            .rejects("abcd", "may not be more than 3"),
        row(&["pattern"], "word")
            .accepts("abc")
            .rejects("", "should match '^[a-z]+$'")
            .rejects("aBc", "should match '^[a-z]+$'"),
        row(&["format"], "address")
            .accepts("10.0.0.1")
            .rejects("10.0.0", "must be of type ipv4"),
        row(&["enum"], "size")
            .accepts("small")
            .rejects("Small", "supported values: \"small\", \"large\""),
        row(&["enum"], "factor")
            .accepts(4)
            .rejects(3, "Unsupported value: 3"),
        row(&["enum"], "phase")
            .accepts("Pending")
            .accepts("Done!")
            .rejects("Done", "supported values: \"Pending\", \"Done!\""),
    ]
}

fn lists() -> Vec<Row> {
    let port = |name: &str, protocol: &str| json!({"name": name, "protocol": protocol});
    vec![
        row(&["min_items"], "some")
            .accepts(json!(["a"]))
            .rejects(json!([]), "should have at least 1 items"),
        row(&["max_items"], "few")
            .accepts(json!([]))
            .accepts(json!(["a", "b"]))
            .rejects(json!(["a", "b", "c"]), "must have at most 2 items"),
        row(&["min_items", "max_items"], "corners")
            .accepts(json!([1, 2, 3]))
            .rejects(json!([1, 2]), "should have at least 3 items")
            .rejects(json!([1, 2, 3, 4]), "must have at most 3 items"),
        row(&["list_type"], "once")
            .accepts(json!(["a", "b"]))
            .rejects(json!(["a", "b", "a"]), "once[2]: Duplicate value: \"a\""),
        row(&["list_type"], "zones")
            .accepts(json!(["a"]))
            .rejects(json!(["a", "a"]), "zones[1]: Duplicate value: \"a\""),
        row(&["list_map_key", "list_type"], "ports")
            .accepts(json!([port("dns", "TCP"), port("dns", "UDP")]))
            .rejects(
                json!([port("dns", "TCP"), port("dns", "TCP")]),
                "ports[1]: Duplicate value",
            )
            // The default of a key counts.
            .rejects(
                json!([port("dns", "TCP"), {"name": "dns"}]),
                "ports[1]: Duplicate value",
            )
            .rejects(
                json!([{"protocol": "TCP"}]),
                "ports[0].name: Required value",
            ),
        row(&["items", "cel"], "words")
            .accepts(json!(["abc", ""]))
            .rejects(json!(["a", "abcd"]), "words[1]: Too long")
            .rejects(
                json!(["no"]),
                "words[0]: Invalid value: \"no\": not this one",
            ),
        row(&["items"], "grid")
            .accepts(json!([[0, 1], []]))
            .rejects(json!([[0], [1, -1]]), "grid[1][1]")
            .rejects(json!([[1, 2, 3]]), "grid[0]: Too many"),
    ]
}

fn maps() -> Vec<Row> {
    vec![
        row(&["min_properties"], "labels")
            .accepts(json!({"a": ""}))
            .rejects(json!({}), "should have at least 1 properties"),
        row(&["max_properties"], "annotations")
            .accepts(json!({"a": "", "b": ""}))
            .rejects(
                json!({"a": "", "b": "", "c": ""}),
                "must have at most 2 items",
            ),
        row(&["values", "cel"], "counts")
            .accepts(json!({"a": 1}))
            .rejects(json!({"a": 1, "b": 0}), "counts.b: Invalid value: 0")
            .rejects(json!({"a": 13}), "bad luck"),
    ]
}

fn presence() -> Vec<Row> {
    let complete = || json!({"plain": 1, "said": 2});
    vec![
        row(&["nullable"], "perhaps")
            .accepts(json!(null))
            .accepts("text")
            .rejects(1, "must be of type string"),
        // Null is pruned where it is not allowed.
        row(&["nullable"], "").stores(
            json!({"perhaps": null, "plain": null}),
            json!({"perhaps": null}),
        ),
        row(&["nullable"], "holes")
            .accepts(json!([1, null]))
            .rejects(json!(["1"]), "holes[0]"),
        row(&["required", "optional"], "parts")
            .accepts(complete())
            .accepts(json!({"plain": 1, "said": 2, "hosts": []}))
            .rejects(json!({"said": 2}), "parts.plain: Required value")
            .rejects(json!({"plain": 1}), "parts.said: Required value"),
        row(&["immutable"], "fixed")
            .accepts_update("a", "a")
            .rejects_update("a", "b", "field is immutable"),
        // A removal is reported for the parent.
        row(&["immutable"], "")
            .accepts_update(json!({}), json!({"fixed": "a"}))
            .rejects_update(
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
            .rejects(json!({"name": 1}), "open.name"),
        row(&["preserve_unknown_fields"], "closed").stores(more(), json!({"name": "a"})),
        row(&["embedded_resource"], "manifest")
            .accepts(manifest())
            .rejects(
                json!({"kind": "Pod"}),
                "manifest.apiVersion: Required value",
            )
            .rejects(
                json!({"apiVersion": "v1", "metadata": {"name": "a"}}),
                "manifest.kind: Required value",
            )
            .rejects(
                json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a/b"}}),
                "manifest.metadata.name",
            ),
        row(&["int_or_string"], "target")
            .accepts(80)
            .accepts("http")
            .rejects(true, "target")
            .rejects(1.5, "target"),
        row(&["int_or_string", "schemaless"], "either")
            .accepts(1)
            .accepts("1")
            .rejects(json!([]), "either"),
        row(&["schemaless"], "anything")
            .accepts(1.5)
            .accepts(json!([1, "a", null]))
            .accepts(json!({"a": {"b": null}})),
        row(&["schema_type", "pattern"], "timeout")
            .accepts("5s")
            .rejects("5", "should match")
            .rejects(5, "must be of type string"),
        row(&["json_schema"], "foreign")
            .accepts(1)
            .rejects(0, "greater than or equal to 1"),
        row(&[], "storage")
            .accepts(json!({"memory": {}}))
            .accepts(json!({"disk": {"path": "/"}}))
            .rejects(json!({"memory": {}, "disk": {"path": "/"}}), "storage")
            .rejects(json!({}), "storage")
            .rejects(json!({"disk": {}}), "disk.path: Required value"),
    ]
}

/// Returns all rows.
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
async fn validation_markers_accept_and_reject_values() {
    check(table()).await;
}
