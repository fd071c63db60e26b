//! Markers of merge strategies.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::api_server::ApiServer;

/// The markers under test.
pub(crate) const MARKERS: [&str; 4] = ["list_map_key", "list_type", "map_type", "struct_type"];

/// Fields that two managers apply.
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
    /// Lists are atomic by default.
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

/// Returns fields with the values of two managers, and the merged value; none if they conflict.
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
async fn fields_of_two_managers_are_merged_according_to_markers() {
    let Some(server) = ApiServer::new().await else {
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
            server.apply(&path, &object).await
        };
        let response = apply("first", first).await;
        assert!(response.is_success(), "{field}: {response:?}");
        let response = apply("second", second).await;
        if let Some(merged) = expected {
            assert_eq!(response.body["spec"][field], merged, "{field}");
        } else {
            assert_eq!(response.code, 409, "{field}: {response:?}");
            let atomic = format!(".spec.{field}");
            assert_eq!(response.body["details"]["causes"][0]["field"], atomic);
        }
    }
}
