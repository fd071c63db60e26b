//! How names are found: `use` in all its forms, what wins over what, and kb's attributes under other names.

use kb_model::api::Type;

use super::support::{I32, list, only, optional, reasons, reference, type_of};

#[test]
fn imports_lead_to_types() {
    let inner = reference("shop_api::a::b::Inner");
    let module = "pub mod a { pub mod b { #[kb::object] pub struct Inner { pub x: i32 } } }";
    for (written, import) in [
        ("a::b::Inner", ""),
        ("self::a::b::Inner", ""),
        ("crate::a::b::Inner", ""),
        ("Inner", "use a::b::Inner;"),
        ("Inner", "use self::a::b::Inner;"),
        ("Inner", "use crate::a::b::{Inner};"),
        ("Other", "use a::b::Inner as Other;"),
        ("b::Inner", "use a::{b};"),
        ("b::Inner", "use a::b::{self};"),
        ("c::Inner", "use a::{b::{self as c}};"),
        ("Inner", "use a::b::*;"),
        ("b::Inner", "use a::*;"),
        ("Inner", "use a::b; use b::Inner;"),
        ("r#Inner", "use a::b::Inner;"),
    ] {
        assert_eq!(
            type_of(written, &format!("{module}\n{import}")),
            inner,
            "{import}"
        );
    }
}

#[test]
fn re_exports_are_followed_in_chains() {
    let items = "
        mod first { #[kb::object] pub struct Inner { pub x: i32 } }
        mod second { pub use super::first::*; }
        mod third { pub use crate::second::Inner as Renamed; }
        mod fourth { pub use super::third::{Renamed as Again}; }
        use fourth::*;";
    assert_eq!(type_of("Again", items), reference("shop_api::first::Inner"));
}

#[test]
fn modules_that_import_everything_from_each_other_end() {
    let items = "
        pub mod a { pub use super::b::*; #[kb::object] pub struct One { pub x: i32 } }
        pub mod b { pub use super::a::*; #[kb::object] pub struct Two { pub x: i32 } }
        use a::*;";
    assert_eq!(type_of("Two", items), reference("shop_api::b::Two"));
    assert_eq!(type_of("b::One", items), reference("shop_api::a::One"));
    assert_eq!(reasons("pub field: Three,", items).len(), 1);
}

#[test]
fn own_types_win_over_those_of_rust() {
    for name in ["Vec", "Option", "String"] {
        let items = format!("#[kb::object] pub struct {name} {{ pub x: i32 }}");
        let expected = reference(&format!("shop_api::{name}"));
        assert_eq!(type_of(name, &items), expected);
        let items = format!("mod own {{ {items} }} use own::*;");
        let expected = reference(&format!("shop_api::own::{name}"));
        assert_eq!(type_of(name, &items), expected);
    }
}

#[test]
fn a_name_wins_over_what_a_star_brings() {
    let items = "
        mod a { #[kb::object] pub struct Inner { pub x: i32 } }
        mod b { #[kb::object] pub struct Inner { pub x: i32 } }
        use a::*;
        use b::Inner;";
    assert_eq!(type_of("Inner", items), reference("shop_api::b::Inner"));
}

#[test]
fn two_stars_that_bring_different_types_are_for_rustc() {
    let items = "
        mod a { #[kb::object] pub struct Inner { pub x: i32 } }
        mod b { #[kb::object] pub struct Inner { pub x: i32 } }
        use a::*;
        use b::*;";
    assert_eq!(
        reasons("pub field: Inner,", items),
        ["api/src/lib.rs:2: `Inner` comes from more than one `*`: only rustc knows which is meant"]
    );
}

#[test]
fn two_stars_that_bring_the_same_type_are_no_problem() {
    let items = "
        mod a { #[kb::object] pub struct Inner { pub x: i32 } }
        mod b { pub use super::a::Inner; }
        use a::*;
        use b::*;";
    assert_eq!(type_of("Inner", items), reference("shop_api::a::Inner"));
}

#[test]
fn a_star_brings_only_what_can_be_seen() {
    let items = "
        mod a { #[kb::object] struct Inner { x: i32 } }
        mod b { #[kb::object] pub(crate) struct Inner { pub x: i32 } }
        use a::*;
        use b::*;";
    assert_eq!(type_of("Inner", items), reference("shop_api::b::Inner"));
}

#[test]
fn a_star_from_above_brings_private_names_too() {
    let source = "
        use kb::k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition as Seen;
        mod inner {
            use super::*;
            #[kb::resource(group = \"example.com\", version = \"v1\", kind = \"Foo\")]
            pub struct FooSpec { pub field: Seen }
        }
        pub fn definitions() -> Vec<kb::CrdDefinition> { vec![inner::Foo::definition()] }";
    let definition = only(&[("api/src/lib.rs", source)]);
    let field = super::support::field_type(super::support::spec(&definition), "field");
    assert!(matches!(field, Type::Core(_)));
}

#[test]
fn the_name_of_a_crate_can_be_imported_by_itself() {
    assert_eq!(type_of("serde_json::Value", "use serde_json;"), Type::Any);
    assert_eq!(type_of("json::Value", "use serde_json as json;"), Type::Any);
    assert_eq!(
        type_of("json::Value", "extern crate serde_json as json;"),
        Type::Any
    );
    assert_eq!(
        type_of("json::Value", "use ::serde_json as json;"),
        Type::Any
    );
}

#[test]
fn aliases_are_replaced_by_what_they_stand_for() {
    assert_eq!(
        type_of("Names", "type Names = Option<Vec<String>>;"),
        optional(list(Type::String))
    );
    assert_eq!(type_of("Many<i32>", "type Many<T> = Vec<T>;"), list(I32));
    assert_eq!(type_of("Many", "type Many<T = i32> = Vec<T>;"), list(I32));
    let chain = "type A = b::B; mod b { pub type B = super::C<i32>; } type C<T> = Option<T>;";
    assert_eq!(type_of("A", chain), optional(I32));
}

#[test]
fn an_alias_of_itself_is_a_mistake() {
    let errors = super::support::errors("pub field: A,", "type A = Option<B>; type B = A;");
    assert!(errors[0].contains("leads back to itself"), "{errors:?}");
}

#[test]
fn the_attributes_are_known_by_any_name() {
    for (import, object, resource) in [
        ("use kb::object; use kb::resource;", "object", "resource"),
        ("use kb::{object, resource as res};", "object", "res"),
        ("use kb as x;", "x::object", "x::resource"),
        ("use kb::*;", "object", "resource"),
        (
            "mod own { pub use kb::{object, resource}; } use own::*;",
            "object",
            "resource",
        ),
        ("", "::kb::object", "::kb::resource"),
    ] {
        let source = format!(
            "{import}
            #[{resource}(group = \"example.com\", version = \"v1\", kind = \"Foo\")]
            pub struct FooSpec {{ pub field: Inner }}
            #[{object}]
            pub struct Inner {{ pub x: i32 }}
            pub fn definitions() -> Vec<kb::CrdDefinition> {{ vec![Foo::definition()] }}"
        );
        assert_eq!(
            only(&[("api/src/lib.rs", &source)]).types.len(),
            2,
            "{import}"
        );
    }
}

#[test]
fn the_library_is_known_under_the_name_that_cargo_gives_it() {
    for (dependency, name) in [
        ("kb-runtime = \"1\"", "kb"),
        (
            "kb = { package = \"kb-runtime\", path = \"../runtime\" }",
            "kb",
        ),
        (
            "operator = { package = \"kb-runtime\", version = \"1\" }",
            "operator",
        ),
    ] {
        let manifest = format!("[package]\nname = \"api\"\n[dependencies]\n{dependency}\n");
        let source = format!(
            "#[{name}::resource(group = \"example.com\", version = \"v1\", kind = \"Foo\")]
            pub struct FooSpec {{ pub a: i32 }}
            pub fn definitions() -> Vec<{name}::CrdDefinition> {{ vec![Foo::definition()] }}"
        );
        only(&[("api/Cargo.toml", &manifest), ("api/src/lib.rs", &source)]);
    }
}
