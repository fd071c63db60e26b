//! Generic types: one definition per set of arguments.

use kb_model::api::{Type, TypeId};

use super::support::{I32, defined, field_type, foo, list, reasons, spec};

const WRAP: &str = "#[kb::object] pub struct Wrap<T> { pub inner: T, pub many: Vec<T> }
    #[kb::object] pub struct Inner { pub x: i32 }";

#[test]
fn instantiates_each_set_of_arguments() {
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
fn binds_default_and_const_arguments() {
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
fn parameters_shadow_types() {
    let definition = foo(
        "pub field: Wrap<i32>,",
        "#[kb::object] pub struct Wrap<Inner> { pub inner: Inner }
         #[kb::object] pub struct Inner { pub x: i32 }",
    );
    let wrap = defined(&definition, &field_type(spec(&definition), "field"));
    assert_eq!(field_type(wrap, "inner"), I32);
}

#[test]
fn resolves_arguments_in_the_scope_of_use() {
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
fn falls_back_for_associated_types() {
    let items = "trait Has { type Of; }
        #[kb::object] pub struct Wrap<T: Has> { pub inner: T::Of }
        #[kb::object] pub struct Inner { pub x: i32 }";
    assert_eq!(
        reasons("pub field: Wrap<Inner>,", items),
        ["api/src/lib.rs:4: `T::Of` is an associated type"]
    );
}
