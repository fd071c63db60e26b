//! Resolution of std, Kubernetes and API types.

use kb_model::api::{Shape, Type, TypeId};

use super::support::{
    I32, core, defined, errors, foo, list, map, optional, reference, spec, type_of,
};

#[test]
fn resolves_primitive_types() {
    for (written, expected) in [
        ("bool", Type::Bool),
        ("i32", I32),
        (
            "u8",
            Type::Integer {
                bits: 8,
                signed: false,
            },
        ),
        (
            "usize",
            Type::Integer {
                bits: 64,
                signed: false,
            },
        ),
        ("char", Type::String),
        ("String", Type::String),
        ("&'static str", Type::String),
        ("Option<String>", optional(Type::String)),
        ("Option<Vec<i32>>", optional(list(I32))),
        ("[i32; 3]", Type::Array(Box::new(I32), 3)),
        ("Box<[String]>", list(Type::String)),
        ("Box<Option<Box<str>>>", optional(Type::String)),
    ] {
        assert_eq!(type_of(written, ""), expected, "{written}");
    }
}

#[test]
fn resolves_std_types_by_any_path() {
    for (written, expected) in [
        ("std::vec::Vec<i32>", list(I32)),
        ("alloc::vec::Vec<i32>", list(I32)),
        ("::std::option::Option<i32>", optional(I32)),
        ("core::option::Option<i32>", optional(I32)),
        ("std::collections::BTreeMap<String, i32>", map(I32)),
        (
            "std::collections::btree_map::BTreeMap<String, i32>",
            map(I32),
        ),
        (
            "std::collections::HashMap<Box<str>, Vec<i32>>",
            map(list(I32)),
        ),
        (
            "std::collections::BTreeSet<String>",
            Type::Set(Box::new(Type::String)),
        ),
        ("std::collections::VecDeque<String>", list(Type::String)),
        ("std::borrow::Cow<'static, str>", Type::String),
        ("std::sync::Arc<i32>", I32),
        ("std::path::PathBuf", Type::String),
        ("std::net::IpAddr", Type::String),
        ("serde_json::Value", Type::Any),
        ("serde_json::Map<String, serde_json::Value>", map(Type::Any)),
        ("kube::core::Duration", Type::String),
        ("kb::Duration", Type::String),
    ] {
        assert_eq!(type_of(written, ""), expected, "{written}");
    }
}

#[test]
fn resolves_kubernetes_types_to_components() {
    let condition = core("io.k8s.apimachinery.pkg.apis.meta.v1.Condition");
    for (written, items) in [
        (
            "k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition",
            "",
        ),
        (
            "kb::k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition",
            "",
        ),
        (
            "meta::v1::Condition",
            "use k8s_openapi::apimachinery::pkg::apis::meta;",
        ),
        (
            "m::Condition",
            "use kb::k8s_openapi::apimachinery::pkg::apis::meta::v1 as m;",
        ),
        (
            "Condition",
            "use kb::k8s_openapi as k8s; use k8s::apimachinery::pkg::apis::meta::v1::*;",
        ),
    ] {
        assert_eq!(type_of(written, items), condition, "{written}");
    }
    assert_eq!(type_of("k8s_openapi::ByteString", ""), core("bytes"));
}

#[test]
fn defines_each_api_type_once() {
    let definition = foo(
        "pub a: Inner, pub b: Option<Inner>,",
        "#[kb::object] pub struct Inner { pub phase: Phase }
         #[kb::object] pub enum Phase { Running, Failed }",
    );
    let ids: Vec<&str> = definition.types.keys().map(TypeId::as_str).collect();
    assert_eq!(
        ids,
        ["shop_api::FooSpec", "shop_api::Inner", "shop_api::Phase"]
    );
    let phase = defined(&definition, &reference("shop_api::Phase"));
    let names = ["Running", "Failed"].map(str::to_owned).to_vec();
    assert_eq!(phase.shape, Shape::Choice(names));
}

#[test]
fn omits_unreachable_types() {
    let definition = foo(
        "pub a: i32,",
        "#[kb::object] pub struct Other { pub phase: String }",
    );
    assert_eq!(definition.types.len(), 1);
    assert_eq!(spec(&definition).name, "FooSpec");
}

#[test]
fn resolves_the_status_type() {
    let source = "
        mod status { #[kb::object] pub struct FooStatus { pub ready: bool } }
        use status::FooStatus as Seen;
        #[kb::resource(group = \"example.com\", version = \"v1\", kind = \"Foo\", status = Seen)]
        pub struct FooSpec { pub a: i32 }
        pub fn definitions() -> Vec<kb::CrdDefinition> { vec![Foo::definition()] }";
    let definition = super::support::only(&[("api/src/lib.rs", source)]);
    let status = definition.resource.status.clone();
    assert_eq!(status, Some(reference("shop_api::status::FooStatus")));
    assert_eq!(definition.types.len(), 2);
}

#[test]
fn resolves_recursive_types() {
    let definition = foo(
        "pub a: Node,",
        "#[kb::object] pub struct Node { pub next: Option<Box<Self>>, pub all: Vec<Node> }",
    );
    assert_eq!(definition.types.len(), 2);
}

#[test]
fn map_keys_must_serialize_as_strings() {
    let items = "#[kb::object] pub enum Phase { Running }
                 #[kb::object] pub struct Name(pub String);
                 #[kb::object] pub struct Port(pub i32);
                 type Map<K> = std::collections::BTreeMap<K, bool>;";
    assert_eq!(type_of("Map<Phase>", items), map(Type::Bool));
    assert_eq!(type_of("Map<Name>", items), map(Type::Bool));
    let errors = errors("pub field: Map<Port>,", items);
    assert_eq!(
        errors,
        ["api/src/lib.rs:6:59: `K` cannot be the key of a map: it is not serialized as a string"]
    );
}

#[test]
fn rejects_types_without_schema() {
    for (ty, what) in [
        ("(i32, i32)", "a tuple"),
        ("()", "the unit type"),
        ("fn()", "a function"),
        ("&'static i32", "a reference"),
    ] {
        let errors = errors("pub field: Hidden,", &format!("type Hidden = {ty};"));
        let expected =
            format!("api/src/lib.rs:3:15: {what} has no schema, so it cannot be used in an API");
        assert_eq!(errors, [expected], "{ty}");
    }
}

#[test]
fn rejects_a_struct_without_attribute() {
    let errors = errors("pub field: Plain,", "pub struct Plain { pub a: i32 }");
    assert_eq!(
        errors,
        ["api/src/lib.rs:2:33: `Plain` has no schema, so it cannot be used in an API"]
    );
}

#[test]
fn rejects_a_kind_as_field_type() {
    let errors = errors("pub field: Option<Box<Foo>>,", "");
    let expected = "api/src/lib.rs:2:44: `Foo` is a kind, so it cannot be the type of a field";
    assert_eq!(errors, [expected]);
}

#[test]
fn rejects_std_duration() {
    let errors = errors("pub field: Wait,", "use std::time::Duration as Wait;");
    assert_eq!(
        errors,
        ["api/src/lib.rs:2:33: serde serializes `std::time::Duration` as an object of two numbers"]
    );
}
