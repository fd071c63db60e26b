//! Comparison with responses of a real API server.

use k8s_openapi::api::{
    apps::v1::Deployment,
    core::v1::{ConfigMap, Service},
};
use kube::{Resource, ResourceExt};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{MANAGER, fixture};
use crate::objects::{desired::Desired, matches_live::matches_live};

/// A JSON pointer and the new value. Null removes the field or item.
type Change = (&'static str, Value);

/// Compares typed objects after applying the changes.
fn is_up_to_date<K>(
    (desired, live): (&str, &str),
    change_wanted: Option<Change>,
    change_live: Option<Change>,
) -> bool
where
    K: Resource<DynamicType = ()> + Serialize + DeserializeOwned + 'static,
{
    let read = |text: &str, change: Option<Change>| -> K {
        let mut value = serde_json::from_str(text).unwrap();
        if let Some(change) = change {
            apply(&mut value, change);
        }
        serde_json::from_value(value).unwrap()
    };
    let live = read(live, change_live);
    let ours = |entry: &&k8s_openapi::apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry| {
        entry.manager.as_deref() == Some(MANAGER)
    };
    let owned = live
        .managed_fields()
        .iter()
        .find(ours)
        .unwrap()
        .fields_v1
        .clone()
        .unwrap()
        .0;
    let desired = Desired::new(None, MANAGER, read(desired, change_wanted)).unwrap();
    matches_live(
        &desired.fields,
        &serde_json::to_value(live).unwrap(),
        &owned,
    )
}

fn apply(value: &mut Value, (pointer, new): Change) {
    let (parent, last) = pointer.rsplit_once('/').unwrap();
    match value
        .pointer_mut(parent)
        .unwrap_or_else(|| panic!("no {parent}"))
    {
        Value::Object(fields) if new.is_null() => {
            assert!(fields.remove(last).is_some(), "no {pointer}");
        }
        Value::Object(fields) => drop(fields.insert(last.to_owned(), new)),
        Value::Array(items) if new.is_null() => drop(items.remove(last.parse().unwrap())),
        Value::Array(items) if last == "-" => items.push(new),
        Value::Array(items) => items[last.parse::<usize>().unwrap()] = new,
        scalar => panic!("{pointer} is in {scalar}"),
    }
}

#[test]
fn an_applied_object_matches() {
    assert!(is_up_to_date::<Deployment>(
        fixture!("deployment"),
        None,
        None
    ));
    assert!(is_up_to_date::<Service>(fixture!("service"), None, None));
    assert!(is_up_to_date::<ConfigMap>(
        fixture!("config_map"),
        None,
        None
    ));
}

#[test]
fn detects_changes_of_the_desired_state() {
    let cases: [(&str, Change); 17] = [
        ("a number", ("/spec/replicas", json!(3))),
        ("a field less", ("/spec/replicas", Value::Null)),
        ("a field more", ("/spec/paused", json!(true))),
        ("a label more", ("/metadata/labels/tier", json!("web"))),
        ("a label less", ("/metadata/labels/app", Value::Null)),
        ("no labels", ("/metadata/labels", Value::Null)),
        (
            "an annotation that others may have",
            (
                "/metadata/annotations",
                json!({"deployment.kubernetes.io/revision": "1"}),
            ),
        ),
        (
            "the selector, which is atomic",
            ("/spec/selector/matchLabels/tier", json!("web")),
        ),
        (
            "an argument, which is atomic",
            ("/spec/template/spec/containers/0/args/1", json!("8081")),
        ),
        (
            "the image of one container",
            ("/spec/template/spec/containers/1/image", json!("proxy:4")),
        ),
        (
            "a container less",
            ("/spec/template/spec/containers/1", Value::Null),
        ),
        (
            "a container that others injected",
            (
                "/spec/template/spec/containers/-",
                json!({"name": "injected", "image": "mesh:2"}),
            ),
        ),
        (
            "an environment variable less",
            ("/spec/template/spec/containers/0/env/1", Value::Null),
        ),
        (
            "a variable with a value of another",
            ("/spec/template/spec/containers/0/env/0/value", json!("eu")),
        ),
        (
            "a port less",
            ("/spec/template/spec/containers/0/ports/1", Value::Null),
        ),
        (
            "the same port over UDP",
            (
                "/spec/template/spec/containers/0/ports/0/protocol",
                json!("UDP"),
            ),
        ),
        (
            "an explicit default",
            (
                "/spec/template/spec/containers/0/ports/0/protocol",
                json!("TCP"),
            ),
        ),
    ];
    for (name, change) in cases {
        assert!(
            !is_up_to_date::<Deployment>(fixture!("deployment"), Some(change), None),
            "{name}"
        );
    }
    let order = json!([{"name": "REGION", "value": "eu"}, {"name": "LEVEL", "value": "info"}]);
    assert!(
        !is_up_to_date::<Deployment>(
            fixture!("deployment"),
            Some(("/spec/template/spec/containers/0/env", order)),
            None
        ),
        "another order of variables"
    );
}

#[test]
fn detects_changes_of_our_fields_by_others() {
    let cases: [(&str, Change); 5] = [
        ("scaled", ("/spec/replicas", json!(5))),
        (
            "another image",
            ("/spec/template/spec/containers/1/image", json!("shop:evil")),
        ),
        (
            "our container removed",
            ("/spec/template/spec/containers/2", Value::Null),
        ),
        (
            "our owner reference changed",
            (
                "/metadata/ownerReferences/0/blockOwnerDeletion",
                json!(false),
            ),
        ),
        ("our label removed", ("/metadata/labels/app", Value::Null)),
    ];
    for (name, change) in cases {
        assert!(
            !is_up_to_date::<Deployment>(fixture!("deployment"), None, Some(change)),
            "{name}"
        );
    }
    let taken = (
        "/metadata/managedFields/0/fieldsV1/f:spec/f:replicas",
        Value::Null,
    );
    assert!(
        !is_up_to_date::<Deployment>(fixture!("deployment"), None, Some(taken)),
        "another manager took it over"
    );
}

#[test]
fn ignores_fields_of_others() {
    let cases: [Change; 5] = [
        ("/metadata/annotations/theirs", json!("x")),
        (
            "/spec/template/spec/containers/-",
            json!({"name": "another", "image": "mesh:3"}),
        ),
        (
            "/spec/template/spec/containers/1/env/-",
            json!({"name": "THEIRS", "value": "x"}),
        ),
        ("/spec/minReadySeconds", json!(5)),
        ("/status/readyReplicas", json!(2)),
    ];
    for change in cases {
        let name = change.0;
        assert!(
            is_up_to_date::<Deployment>(fixture!("deployment"), None, Some(change)),
            "{name}"
        );
    }
}

#[test]
fn distinguishes_ports_by_a_defaulted_key() {
    let service = fixture!("service");
    let named = ("/spec/ports/0/name", json!("web"));
    assert!(!is_up_to_date::<Service>(service, Some(named), None));
    let less = ("/spec/ports/0", Value::Null);
    assert!(!is_up_to_date::<Service>(service, Some(less), None));
    let theirs = ("/spec/ports/1/nodePort", json!(30_000));
    assert!(is_up_to_date::<Service>(service, None, Some(theirs)));
}

#[test]
fn compares_members_of_sets_by_value() {
    let config_map = fixture!("config_map");
    let swapped = || {
        (
            "/metadata/finalizers",
            json!(["example.com/b", "example.com/a"]),
        )
    };
    assert!(
        is_up_to_date::<ConfigMap>(config_map, Some(swapped()), None),
        "a set has no order"
    );
    assert!(is_up_to_date::<ConfigMap>(
        config_map,
        None,
        Some(("/metadata/finalizers/-", json!("theirs")))
    ));
    assert!(!is_up_to_date::<ConfigMap>(
        config_map,
        Some(("/metadata/finalizers/0", Value::Null)),
        None
    ));
    assert!(!is_up_to_date::<ConfigMap>(
        config_map,
        Some(("/metadata/finalizers/-", json!("example.com/c"))),
        None
    ));
    assert!(!is_up_to_date::<ConfigMap>(
        config_map,
        None,
        Some(("/metadata/finalizers/0", Value::Null))
    ));
    assert!(
        !is_up_to_date::<ConfigMap>(config_map, Some(("/data/theirs", json!("x"))), None),
        "owned by another manager only"
    );
    assert!(!is_up_to_date::<ConfigMap>(
        config_map,
        Some(("/data/level", Value::Null)),
        None
    ));
}

#[test]
fn a_missing_zero_value_matches_if_it_is_recorded() {
    let cases = [
        (json!({"a": ""}), json!({}), json!({"f:a": {}}), true),
        (json!({"a": {}}), json!({}), json!({"f:a": {}}), true),
        (json!({"a": false}), json!({}), json!({"f:a": {}}), true),
        (json!({"a": null}), json!({}), json!({"f:a": {}}), true),
        (json!({"a": []}), json!({}), json!({}), true),
        (json!({"a": {"b": []}}), json!({}), json!({}), true),
        (json!({"a": []}), json!({"a": [1]}), json!({}), false),
        (
            json!({"a": []}),
            json!({"a": [{"k": 1}]}),
            json!({"f:a": {"k:{\"k\":1}": {}}}),
            false,
        ),
        (
            json!({"a": {}}),
            json!({"a": {"b": 1}}),
            json!({"f:a": {"f:b": {}}}),
            false,
        ),
        (json!({"a": ""}), json!({}), json!({}), false),
        (json!({"a": 1}), json!({}), json!({"f:a": {}}), false),
        (
            json!({"a": [1]}),
            json!({"a": [1]}),
            json!({"f:a": {"i:0": {}}}),
            false,
        ),
        (
            json!({"a": "x"}),
            json!({"a": "x"}),
            json!({"f:a": {"f:b": {}}}),
            false,
        ),
    ];
    for (desired, live, owned, expected) in cases {
        // Add another field, because an empty record is that of an atomic value.
        let with = |mut value: Value, name: &str, other: Value| {
            value
                .as_object_mut()
                .unwrap()
                .insert(name.to_owned(), other);
            value
        };
        let (desired, live) = (with(desired, "x", json!(1)), with(live, "x", json!(1)));
        let owned = with(owned, "f:x", json!({}));
        assert_eq!(
            matches_live(&desired, &live, &owned),
            expected,
            "{desired} in {live} with {owned}"
        );
    }
    assert!(!matches_live(
        &json!({"a": "x"}),
        &json!({"a": "x"}),
        &Value::Null
    ));
}
