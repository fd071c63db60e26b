//! CRDs, definitions and schemas of compiled types.

#![allow(missing_docs, reason = "descriptions are not tested")]

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use kb::__private::{kube::CustomResourceExt, schemars};
use kb::k8s_openapi::{
    ByteString,
    api::core::v1::PodTemplateSpec,
    apimachinery::pkg::{
        api::resource::Quantity,
        apis::meta::v1::{Condition, Time},
        util::intstr::IntOrString,
    },
    serde_json::{self, Value, json},
};

/// All kinds of fields.
#[kb::resource(group = "example.com", version = "v1", kind = "Whole", status = WholeStatus, category = "all")]
#[kb(cel("self.port > 0", message = "port is required"))]
pub struct WholeSpec {
    /// How many.
    #[kb(minimum = 1, maximum = 10, default = 1, column, scale(replicas))]
    pub replicas: Count,
    #[kb(minimum = 1)]
    pub port: u16,
    pub names: BTreeSet<Name>,
    pub by_name: HashMap<Name, Vec<Phase>>,
    pub text: Cow<'static, str>,
    pub shared: Arc<Part<u8>>,
    pub boxed: Option<Box<Part<Name>>>,
    #[kb(default = computed())]
    pub computed: i64,
    pub quantity: Quantity,
    pub port_name: IntOrString,
    pub bytes: ByteString,
    pub every: kb::Duration,
    pub template: Option<PodTemplateSpec>,
    pub any: Value,
    pub key: [bool; 4],
    pub ratio: Ratio,
    #[kb(schemaless, preserve_unknown_fields)]
    pub free: Free,
    #[kb(json_schema)]
    pub foreign: Foreign,
    #[serde(flatten)]
    pub more: More,
    pub union: Union,
    #[kb(items(max_length = 5))]
    pub alias: Names,
}

fn computed() -> i64 {
    6 * 7
}

pub type Count = i32;
pub type Names = Vec<String>;

#[kb::object]
pub struct WholeStatus {
    #[kb(scale(replicas))]
    pub replicas: i32,
    pub since: Option<Time>,
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<Condition>,
}

/// A name.
#[kb::object]
#[kb(max_length = 63)]
#[derive(Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub String);

#[kb::object]
#[derive(Copy, Eq)]
pub enum Phase {
    Pending,
    #[serde(rename = "up")]
    Running,
}

#[kb::object]
pub struct Part<T> {
    #[kb(optional)]
    pub parts: Vec<T>,
    pub first: T,
}

#[kb::object]
pub struct Ratio(#[kb(allow_float)] pub f64);

#[kb::object]
pub struct More {
    pub extra: Option<bool>,
}

#[kb::object]
pub enum Union {
    One(Name),
    Other { phase: Phase },
}

#[derive(
    Clone,
    Debug,
    Default,
    PartialEq,
    kb::__private::serde::Serialize,
    kb::__private::serde::Deserialize,
)]
#[serde(crate = "kb::__private::serde")]
pub struct Free(BTreeMap<String, String>);

#[derive(
    Clone,
    Debug,
    PartialEq,
    kb::__private::serde::Serialize,
    kb::__private::serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(crate = "kb::__private::serde")]
#[schemars(crate = "kb::__private::schemars")]
pub struct Foreign {
    pub id: String,
}

fn document() -> Value {
    serde_json::to_value(Whole::crd()).expect("CRDs serialize")
}

fn schema() -> Value {
    document()["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone()
}

fn spec(field: &str) -> Value {
    schema()["properties"]["spec"]["properties"][field].clone()
}

#[test]
fn custom_resource_ext_returns_the_same_crd() {
    fn generic<K: CustomResourceExt>() -> Value {
        serde_json::to_value(K::crd()).expect("CRDs serialize")
    }
    assert_eq!(generic::<Whole>(), document());
    let merged = kb::crds([Whole::definition()]);
    assert_eq!(serde_json::to_value(&merged[0]).unwrap(), document());
}

#[test]
fn attributes_set_names_subresources_and_columns() {
    let document = document();
    assert_eq!(document["metadata"], json!({"name": "wholes.example.com"}));
    assert_eq!(document["spec"]["names"]["categories"], json!(["all"]));
    assert_eq!(document["spec"]["names"]["listKind"], "WholeList");
    let version = &document["spec"]["versions"][0];
    assert_eq!(
        version["subresources"],
        json!({"status": {}, "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}})
    );
    assert_eq!(
        version["additionalPrinterColumns"],
        json!([{"name": "Replicas", "type": "integer", "jsonPath": ".spec.replicas"}])
    );
}

#[test]
fn schemas_resolve_aliases_generics_and_foreign_types() {
    assert_eq!(
        spec("replicas"),
        json!({"description": "How many.", "type": "integer", "format": "int32", "minimum": 1.0, "maximum": 10.0, "default": 1})
    );
    let name = json!({"description": "A name.", "type": "string", "maxLength": 63});
    assert_eq!(spec("names")["items"], name);
    assert_eq!(
        spec("byName")["additionalProperties"],
        json!({"type": "array", "items": {"type": "string", "enum": ["Pending", "up"]}})
    );
    assert_eq!(spec("text")["type"], "string");
    assert_eq!(spec("shared")["properties"]["first"]["maximum"], 255.0);
    assert_eq!(spec("boxed")["properties"]["first"], name);
    assert_eq!(spec("boxed")["required"], json!(["first"]));
    assert_eq!(spec("computed")["default"], 42);
    assert_eq!(spec("every"), json!({"type": "string"}));
    assert_eq!(spec("bytes"), json!({"type": "string", "format": "byte"}));
    assert_eq!(spec("quantity")["x-kubernetes-int-or-string"], true);
    assert_eq!(spec("key")["maxItems"], 4);
    assert_eq!(spec("ratio"), json!({"type": "number"}));
    assert_eq!(
        spec("free"),
        json!({"x-kubernetes-preserve-unknown-fields": true})
    );
    assert_eq!(
        spec("foreign")["properties"]["id"],
        json!({"type": "string"})
    );
    assert_eq!(spec("extra"), json!({"type": "boolean"}));
    assert_eq!(spec("alias")["items"]["maxLength"], 5);
    assert!(spec("union")["properties"].get("one").is_some());
    assert_eq!(
        spec("template")["properties"]["spec"]["required"],
        json!(["containers"])
    );
    assert_eq!(
        schema()["properties"]["status"]["properties"]["conditions"]["x-kubernetes-list-map-keys"],
        json!(["type"])
    );
}

#[test]
fn json_schema_is_the_schema_of_kb() {
    let schema = schemars::SchemaGenerator::default()
        .into_root_schema_for::<Name>()
        .to_value();
    assert_eq!(schema["maxLength"], 63);
    let whole = schemars::SchemaGenerator::default()
        .into_root_schema_for::<Whole>()
        .to_value();
    assert_eq!(
        whole["properties"]["spec"]["properties"]["computed"]["default"],
        42
    );
}

#[test]
fn a_definition_contains_each_type_once() {
    let definition = Whole::definition();
    let mut names: Vec<&str> = definition
        .model()
        .types
        .values()
        .map(|def| def.name.as_str())
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "More",
            "Name",
            "Part",
            "Part",
            "Phase",
            "Ratio",
            "Union",
            "WholeSpec",
            "WholeStatus"
        ]
    );
}

#[test]
fn distinguishes_types_with_the_same_name() {
    fn first() -> kb::CrdDefinition {
        #[kb::object]
        struct Inner {
            a: String,
        }
        #[kb::resource(group = "example.com", version = "v1", kind = "Twice")]
        struct TwiceSpec {
            inner: Inner,
        }
        Twice::definition()
    }
    fn second() -> kb::CrdDefinition {
        #[kb::object]
        struct Inner {
            b: String,
        }
        #[kb::resource(group = "example.com", version = "v2", kind = "Twice", storage)]
        struct TwiceSpec {
            inner: Inner,
        }
        Twice::definition()
    }
    let crds = kb::crds([first(), second()]);
    assert_eq!(crds.len(), 1);
    let names: Vec<&str> = crds[0]
        .spec
        .versions
        .iter()
        .map(|version| version.name.as_str())
        .collect();
    assert_eq!(names, ["v2", "v1"]);
}

#[test]
#[should_panic(expected = "Node -> ")]
fn rejects_a_recursive_type() {
    #[kb::object]
    struct Node {
        next: Option<Box<Node>>,
    }
    #[kb::resource(group = "example.com", version = "v1", kind = "Chain")]
    struct ChainSpec {
        first: Node,
    }
    let _ = Chain::crd();
}
