//! Types of Rust, of Kubernetes and of the API.

use kb_model::api::{Shape, Type, TypeId};

use super::support::{
    I32, core, defined, errors, foo, list, map, optional, reference, spec, type_of,
};

#[test]
fn types_of_the_language_are_known() {
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
fn types_of_the_standard_library_are_known_by_any_of_their_paths() {
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
fn types_of_kubernetes_are_known_by_their_component() {
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
fn a_type_of_the_api_is_defined_once_with_all_that_it_leads_to() {
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
fn what_belongs_to_a_kind_is_only_what_it_leads_to() {
    let definition = foo(
        "pub a: i32,",
        "#[kb::object] pub struct Other { pub phase: String }",
    );
    assert_eq!(definition.types.len(), 1);
    assert_eq!(spec(&definition).name, "FooSpec");
}

#[test]
fn the_status_is_resolved_like_any_other_type() {
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
fn a_type_that_leads_to_itself_ends() {
    let definition = foo(
        "pub a: Node,",
        "#[kb::object] pub struct Node { pub next: Option<Box<Self>>, pub all: Vec<Node> }",
    );
    assert_eq!(definition.types.len(), 2);
}

#[test]
fn keys_of_maps_are_strings_on_the_wire() {
    let items = "#[kb::object] pub enum Phase { Running }
                 #[kb::object] pub struct Name(pub String);
                 #[kb::object] pub struct Port(pub i32);
                 type Map<K> = std::collections::BTreeMap<K, bool>;";
    assert_eq!(type_of("Map<Phase>", items), map(Type::Bool));
    assert_eq!(type_of("Map<Name>", items), map(Type::Bool));
    let errors = errors("pub field: Map<Port>,", items);
    assert_eq!(
        errors,
        ["api/src/lib.rs:6:59: `K` cannot be the key of a map: it is no string on the wire"]
    );
}

#[test]
fn what_has_no_schema_is_a_mistake_where_it_is_written() {
    for (ty, what) in [
        ("(i32, i32)", "a tuple"),
        ("()", "the unit type"),
        ("fn()", "a function"),
        ("&'static i32", "a reference"),
    ] {
        let errors = errors("pub field: Hidden,", &format!("type Hidden = {ty};"));
        let expected =
            format!("api/src/lib.rs:3:15: {what} has no schema, so it cannot be in an API");
        assert_eq!(errors, [expected], "{ty}");
    }
}

#[test]
fn a_struct_without_the_attribute_is_a_mistake() {
    let errors = errors("pub field: Plain,", "pub struct Plain { pub a: i32 }");
    assert_eq!(
        errors,
        ["api/src/lib.rs:2:33: `Plain` is no type of an API"]
    );
}

#[test]
fn a_kind_is_no_type_of_a_field() {
    let errors = errors("pub field: Option<Box<Foo>>,", "");
    let expected = "api/src/lib.rs:2:44: `Foo` is a kind, so it cannot be the type of a field";
    assert_eq!(errors, [expected]);
}

#[test]
fn the_duration_of_the_standard_library_is_a_mistake() {
    let errors = errors("pub field: Wait,", "use std::time::Duration as Wait;");
    assert!(errors[0].contains("`std::time::Duration`"), "{errors:?}");
}
