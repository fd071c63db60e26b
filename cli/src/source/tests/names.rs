//! Name resolution: imports, shadowing, and renamed attributes.

use kb_model::api::Type;

use super::support::{I32, list, only, optional, reasons, reference, type_of};

#[test]
fn resolves_imports() {
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
fn follows_chains_of_re_exports() {
    let items = "
        mod first { #[kb::object] pub struct Inner { pub x: i32 } }
        mod second { pub use super::first::*; }
        mod third { pub use crate::second::Inner as Renamed; }
        mod fourth { pub use super::third::{Renamed as Again}; }
        use fourth::*;";
    assert_eq!(type_of("Again", items), reference("shop_api::first::Inner"));
}

#[test]
fn resolves_cyclic_glob_imports() {
    let items = "
        pub mod a { pub use super::b::*; #[kb::object] pub struct One { pub x: i32 } }
        pub mod b { pub use super::a::*; #[kb::object] pub struct Two { pub x: i32 } }
        use a::*;";
    assert_eq!(type_of("Two", items), reference("shop_api::b::Two"));
    assert_eq!(type_of("b::One", items), reference("shop_api::a::One"));
    assert_eq!(reasons("pub field: Three,", items).len(), 1);
}

#[test]
fn local_types_shadow_the_prelude() {
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
fn named_imports_shadow_globs() {
    let items = "
        mod a { #[kb::object] pub struct Inner { pub x: i32 } }
        mod b { #[kb::object] pub struct Inner { pub x: i32 } }
        use a::*;
        use b::Inner;";
    assert_eq!(type_of("Inner", items), reference("shop_api::b::Inner"));
}

#[test]
fn falls_back_for_ambiguous_globs() {
    let items = "
        mod a { #[kb::object] pub struct Inner { pub x: i32 } }
        mod b { #[kb::object] pub struct Inner { pub x: i32 } }
        use a::*;
        use b::*;";
    assert_eq!(
        reasons("pub field: Inner,", items),
        ["api/src/lib.rs:2: `Inner` is ambiguous between glob imports"]
    );
}

#[test]
fn two_globs_may_import_the_same_type() {
    let items = "
        mod a { #[kb::object] pub struct Inner { pub x: i32 } }
        mod b { pub use super::a::Inner; }
        use a::*;
        use b::*;";
    assert_eq!(type_of("Inner", items), reference("shop_api::a::Inner"));
}

#[test]
fn globs_import_only_visible_names() {
    let items = "
        mod a { #[kb::object] struct Inner { x: i32 } }
        mod b { #[kb::object] pub(crate) struct Inner { pub x: i32 } }
        use a::*;
        use b::*;";
    assert_eq!(type_of("Inner", items), reference("shop_api::b::Inner"));
}

#[test]
fn globs_of_the_parent_import_private_names() {
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
fn resolves_imported_crate_names() {
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
fn expands_aliases() {
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
fn rejects_recursive_aliases() {
    let errors = super::support::errors("pub field: A,", "type A = Option<B>; type B = A;");
    assert_eq!(errors.len(), 1, "{errors:?}");
}

#[test]
fn recognizes_renamed_attributes() {
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
fn recognizes_the_renamed_runtime_crate() {
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
