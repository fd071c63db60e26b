//! Markers that say how the fields of two managers are merged.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::place::Place;

/// The markers that are tried here.
pub(crate) const MARKERS: [&str; 4] = ["list_map_key", "list_type", "map_type", "struct_type"];

/// What two apply.
#[kb::resource(group = "schemas.example.com", version = "v1", kind = "Merged")]
pub(crate) struct MergedSpec {
    #[kb(list_map_key = "name")]
    pub by_key: Option<Vec<Entry>>,
    #[kb(list_type = "set")]
    pub set: Option<Vec<String>>,
    /// A set by its type.
    pub own_set: Option<BTreeSet<String>>,
    #[kb(list_type = "atomic")]
    pub whole_list: Option<Vec<String>>,
    /// A list is one value unless something is said.
    pub list: Option<Vec<String>>,
    #[kb(map_type = "granular")]
    pub map: Option<BTreeMap<String, String>>,
    #[kb(map_type = "atomic")]
    pub whole_map: Option<BTreeMap<String, String>>,
    pub pair: Option<Pair>,
    #[kb(struct_type = "atomic")]
    pub whole_pair: Option<Pair>,
}

/// An element with a key.
#[kb::object]
pub(crate) struct Entry {
    pub name: String,
    pub left: Option<i32>,
    pub right: Option<i32>,
}

/// Two fields.
#[kb::object]
pub(crate) struct Pair {
    pub left: Option<i32>,
    pub right: Option<i32>,
}

/// A field, what each of two managers applies, and what becomes of it; nothing if the second is told of a conflict.
fn cases() -> Vec<(&'static str, Value, Value, Option<Value>)> {
    let (a, b, ab) = (json!(["a"]), json!(["b"]), json!(["a", "b"]));
    let (left, right) = (json!({"left": 1}), json!({"right": 2}));
    let (both, texts) = (
        json!({"left": 1, "right": 2}),
        json!({"left": "1", "right": "2"}),
    );
    let (left_text, right_text) = (json!({"left": "1"}), json!({"right": "2"}));
    vec![
        (
            "byKey",
            json!([{"name": "a", "left": 1}, {"name": "b"}]),
            json!([{"name": "a", "right": 2}, {"name": "c"}]),
            Some(json!([{"name": "a", "left": 1, "right": 2}, {"name": "b"}, {"name": "c"}])),
        ),
        ("set", a.clone(), b.clone(), Some(ab.clone())),
        ("ownSet", a.clone(), b.clone(), Some(ab)),
        ("wholeList", a.clone(), b.clone(), None),
        ("list", a, b, None),
        ("map", left_text.clone(), right_text.clone(), Some(texts)),
        ("wholeMap", left_text, right_text, None),
        ("pair", left.clone(), right.clone(), Some(both)),
        ("wholePair", left, right, None),
    ]
}

#[tokio::test]
async fn fields_of_two_managers_are_merged_as_the_markers_say() {
    let Some(place) = Place::new().await else {
        return;
    };
    for (field, first, second, expected) in cases() {
        let name = field.to_lowercase();
        let apply = async |manager: &str, value: Value| {
            let object = json!({
                "apiVersion": "schemas.example.com/v1", "kind": "Merged", "metadata": {"name": name}, "spec": {field: value},
            });
            let path = format!(
                "/apis/schemas.example.com/v1/namespaces/default/mergeds/{name}?fieldManager={manager}"
            );
            place.apply(&path, &object).await
        };
        let answer = apply("first", first).await;
        assert!(answer.is_success(), "{field}: {answer:?}");
        let answer = apply("second", second).await;
        if let Some(merged) = expected {
            assert_eq!(answer.body["spec"][field], merged, "{field}");
        } else {
            assert_eq!(answer.code, 409, "{field}: {answer:?}");
            let whole = format!(".spec.{field}");
            assert_eq!(answer.body["details"]["causes"][0]["field"], whole);
        }
    }
}
