//! Serialized form of objects: field names, skipped fields and defaults.

#![allow(missing_docs, reason = "descriptions are not tested")]

use std::collections::BTreeMap;

use kb::k8s_openapi::serde_json::{self, Value, json};

#[kb::resource(group = "example.com", version = "v1", kind = "App", status = AppStatus, short_names = ["ap"])]
#[derive(Eq)]
pub struct AppSpec {
    #[kb(default = 3)]
    pub replica_count: i32,
    #[kb(default = "web")]
    pub tier: String,
    #[kb(default = Mode::Slow)]
    pub mode: Mode,
    #[kb(default = ["a", "b"])]
    pub args: Vec<String>,
    #[kb(default = 7)]
    pub limit: Option<u64>,
    pub image: Option<String>,
    pub note: Maybe,
    #[kb(optional)]
    pub labels: BTreeMap<String, String>,
    #[serde(rename = "class")]
    pub choice: Option<Choice>,
}

pub type Maybe = Option<String>;

#[kb::object]
#[derive(Eq)]
pub struct AppStatus {
    pub ready_replicas: Option<i32>,
}

#[kb::object]
#[derive(Copy, Eq)]
pub enum Mode {
    Fast,
    #[default]
    Slow,
}

#[kb::object]
#[derive(Eq)]
pub enum Choice {
    ByName(Name),
    ByNumber { the_number: i64 },
}

#[kb::object]
#[derive(Eq)]
pub struct Name(String);

#[kb::resource(group = "example.com", version = "v1", kind = "Knob", optional_spec, scope = Cluster)]
pub struct KnobSpec {
    #[kb(default = 5)]
    pub level: u8,
}

#[kb::resource(group = "example.com", version = "v1", kind = "Bucket", no_spec, status = BucketStatus)]
pub struct Contents {
    pub max_size: Option<i64>,
    #[kb(default = "gold")]
    pub tier: String,
}

#[kb::object]
pub struct BucketStatus {
    pub used: i64,
}

fn serialize(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("objects serialize")
}

#[test]
fn skips_none_even_behind_an_alias() {
    let app = App::new("shop", AppSpec::default());
    assert_eq!(
        serialize(&app),
        json!({
            "apiVersion": "example.com/v1",
            "kind": "App",
            "metadata": {"name": "shop"},
            "spec": {"replicaCount": 3, "tier": "web", "mode": "Slow", "args": ["a", "b"], "limit": 7},
        })
    );
}

#[test]
fn api_version_and_kind_come_first() {
    let text = serde_json::to_string(&Knob::new("volume", KnobSpec { level: 1 })).unwrap();
    assert!(
        text.starts_with(r#"{"apiVersion":"example.com/v1","kind":"Knob","metadata":"#),
        "{text}"
    );
}

#[test]
fn missing_fields_get_their_defaults() {
    let app: App = serde_json::from_value(json!({"metadata": {}, "spec": {}})).unwrap();
    assert_eq!(app.spec, AppSpec::default());
    assert_eq!(app.spec.replica_count, 3);
    assert_eq!(app.spec.mode, Mode::Slow);
    assert_eq!(app.spec.limit, Some(7));
    assert_eq!(app.status, None);
}

#[test]
fn objects_round_trip() {
    let app = App {
        metadata: App::new("shop", AppSpec::default()).metadata,
        spec: AppSpec {
            image: Some("nginx".to_owned()),
            note: Some("new".to_owned()),
            labels: [("a".to_owned(), "b".to_owned())].into(),
            choice: Some(Choice::ByNumber { the_number: 4 }),
            ..AppSpec::default()
        },
        status: Some(AppStatus {
            ready_replicas: Some(2),
        }),
    };
    let serialized = serialize(&app);
    assert_eq!(
        serialized["spec"]["class"],
        json!({"byNumber": {"theNumber": 4}})
    );
    assert_eq!(serialized["status"], json!({"readyReplicas": 2}));
    assert_eq!(serde_json::from_value::<App>(serialized).unwrap(), app);
    let by_name = Choice::ByName(Name("x".to_owned()));
    assert_eq!(serialize(&by_name), json!({"byName": "x"}));
}

#[test]
fn the_spec_is_required_unless_optional() {
    let error = serde_json::from_value::<App>(json!({"metadata": {}})).unwrap_err();
    assert_eq!(error.to_string(), "missing field `spec`");
    let knob: Knob =
        serde_json::from_value(json!({"apiVersion": "x", "kind": "y", "metadata": {}})).unwrap();
    assert_eq!(knob.spec.level, 5);
    // A spec equal to the default is skipped.
    assert_eq!(serialize(&knob).get("spec"), None);
}

#[test]
fn without_a_spec_fields_are_siblings_of_the_metadata() {
    let mut bucket = Bucket::new(
        "a",
        Contents {
            max_size: Some(9),
            ..Contents::default()
        },
    );
    bucket.status = Some(BucketStatus { used: 1 });
    let serialized = serialize(&bucket);
    assert_eq!(
        serialized,
        json!({
            "apiVersion": "example.com/v1",
            "kind": "Bucket",
            "metadata": {"name": "a"},
            "maxSize": 9,
            "tier": "gold",
            "status": {"used": 1},
        })
    );
    assert_eq!(
        serde_json::from_value::<Bucket>(serialized).unwrap(),
        bucket
    );
    let schema = kb::k8s_openapi::serde_json::to_value(Bucket::crd()).unwrap();
    let properties = &schema["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"];
    assert_eq!(properties["tier"]["default"], "gold");
    assert!(properties.get("spec").is_none());
}

#[test]
fn implements_the_traits_of_kube() {
    use kb::__private::kube::{
        CustomResourceExt, Resource,
        core::object::{HasSpec, HasStatus},
    };
    assert_eq!(App::api_version(&()), "example.com/v1");
    assert_eq!(App::plural(&()), "apps");
    assert_eq!(
        App::url_path(&(), Some("x")),
        "/apis/example.com/v1/namespaces/x/apps"
    );
    assert_eq!(App::crd_name(), "apps.example.com");
    assert_eq!(App::shortnames(), ["ap"]);
    assert_eq!(<App as CustomResourceExt>::api_resource().kind, "App");
    let mut app = App::default();
    app.spec_mut().replica_count = 9;
    assert_eq!(app.spec().replica_count, 9);
    assert!(app.status().is_none());
    *app.status_mut() = Some(AppStatus::default());
    assert!(app.meta().name.is_none());
}
