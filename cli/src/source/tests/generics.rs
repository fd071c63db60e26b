//! Structs with parameters: one definition per set of arguments.

use kb_model::api::{Type, TypeId};

use super::support::{I32, defined, field_type, foo, list, reasons, spec};

const WRAP: &str = "#[kb::object] pub struct Wrap<T> { pub inner: T, pub many: Vec<T> }
    #[kb::object] pub struct Inner { pub x: i32 }";

#[test]
fn every_set_of_arguments_is_a_type_of_its_own() {
    let definition = foo(
        "pub a: Wrap<i32>, pub b: Wrap<Vec<String>>, pub c: Wrap<Wrap<Inner>>, pub d: Wrap<i32>,",
        WRAP,
    );
    let ids: Vec<&str> = definition.types.keys().map(TypeId::as_str).collect();
    assert_eq!(
        ids,
        [
            "shop_api::FooSpec",
            "shop_api::Inner",
            "shop_api::Wrap<Vec<String>>",
            "shop_api::Wrap<i32>",
            "shop_api::Wrap<shop_api::Inner>",
            "shop_api::Wrap<shop_api::Wrap<shop_api::Inner>>",
        ]
    );
    let texts = defined(&definition, &field_type(spec(&definition), "b"));
    assert_eq!(field_type(texts, "inner"), list(Type::String));
    assert_eq!(field_type(texts, "many"), list(list(Type::String)));
}

#[test]
fn parameters_have_defaults_and_numbers() {
    let items = "const SIZE: usize = 2 + 2;
        #[kb::object] pub struct Fixed<T = i32, const N: usize = 3> { pub all: [T; N] }";
    for (ty, length) in [
        ("Fixed", 3),
        ("Fixed<i32, 5>", 5),
        ("Fixed<i32, { SIZE }>", 4),
        ("Fixed<i32, SIZE>", 4),
    ] {
        let definition = foo(&format!("pub field: {ty},"), items);
        let fixed = defined(&definition, &field_type(spec(&definition), "field"));
        let expected = Type::Array(Box::new(I32), length);
        assert_eq!(field_type(fixed, "all"), expected, "{ty}");
    }
}

#[test]
fn a_parameter_hides_a_type_of_the_same_name() {
    let definition = foo(
        "pub field: Wrap<i32>,",
        "#[kb::object] pub struct Wrap<Inner> { pub inner: Inner }
         #[kb::object] pub struct Inner { pub x: i32 }",
    );
    let wrap = defined(&definition, &field_type(spec(&definition), "field"));
    assert_eq!(field_type(wrap, "inner"), I32);
}

#[test]
fn arguments_are_resolved_where_they_are_written() {
    let definition = foo(
        "pub field: wide::Wrap<Inner>,",
        "#[kb::object] pub struct Inner { pub x: i32 }
         mod wide {
             #[kb::object] pub struct Wrap<T> { pub inner: T, pub own: Inner }
             #[kb::object] pub struct Inner { pub y: i32 }
         }",
    );
    let wrap = defined(&definition, &field_type(spec(&definition), "field"));
    let inner = defined(&definition, &field_type(wrap, "inner"));
    let own = defined(&definition, &field_type(wrap, "own"));
    assert_eq!(field_type(inner, "x"), I32);
    assert_eq!(field_type(own, "y"), I32);
}

#[test]
fn types_of_traits_are_for_rustc() {
    let items = "trait Has { type Of; }
        #[kb::object] pub struct Wrap<T: Has> { pub inner: T::Of }
        #[kb::object] pub struct Inner { pub x: i32 }";
    assert_eq!(
        reasons("pub field: Wrap<Inner>,", items),
        ["api/src/lib.rs:4: `T::Of` is a type of a trait: only rustc knows it"]
    );
}
