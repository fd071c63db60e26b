//! Reasons to fall back to crdgen.

use super::support::{reasons, reasons_of};

#[test]
fn types_of_other_crates() {
    assert_eq!(
        reasons(
            "pub a: jiff::Timestamp, pub b: Time,",
            "use jiff::civil::Time;"
        ),
        [
            "api/src/lib.rs:2: `jiff::Timestamp` is a type of another crate",
            "api/src/lib.rs:2: `jiff::civil::Time` is a type of another crate",
        ]
    );
    assert_eq!(
        reasons("pub a: std::num::NonZeroU8,", ""),
        ["api/src/lib.rs:2: `std::num::NonZeroU8` is a type of another crate"]
    );
}

#[test]
fn names_of_foreign_globs() {
    assert_eq!(
        reasons("pub a: Timestamp,", "use jiff::*;"),
        ["api/src/lib.rs:2: `Timestamp` may be imported by `use jiff::*`"]
    );
    let some = reasons("pub a: String,", "use jiff::*;");
    assert_eq!(some.len(), 1, "it could have a String");
}

#[test]
fn types_declared_by_macros() {
    let items = "macro_rules! make { ($n:ident) => { #[kb::object] pub struct $n { pub a: i32 } } }\nmake!(Inner);";
    assert_eq!(
        reasons("pub a: Inner,", items),
        ["api/src/lib.rs:2: cannot find `Inner` in `shop_api`, but `make!` may declare it"]
    );
    let items = "include!(concat!(env!(\"OUT_DIR\"), \"/types.rs\"));";
    assert_eq!(
        reasons("pub a: Inner,", items),
        ["api/src/lib.rs:2: cannot find `Inner` in `shop_api`, but `include!` may declare it"]
    );
    assert_eq!(
        reasons("pub a: inner!(),", ""),
        ["api/src/lib.rs:2: `inner!` expands to this type"]
    );
}

#[test]
fn manual_schemas() {
    let items = "pub struct Inner; impl kb::Schema for Inner {}";
    assert_eq!(
        reasons("pub a: Vec<Inner>,", items),
        ["api/src/lib.rs:2: `Inner` has a manual `impl Schema`"]
    );
    let items = "pub struct Inner;";
    assert_eq!(
        reasons("#[kb(json_schema)] pub a: Inner,", items),
        ["api/src/lib.rs:2: the schema of `Inner` comes from schemars"]
    );
}

#[test]
fn attribute_macros_above_the_attribute() {
    let items =
        "use serde_with::serde_as;\n#[serde_as]\n#[kb::object]\npub struct Inner { pub a: i32 }";
    let files = [
        (
            "api/Cargo.toml",
            "[package]\nname = \"api\"\n[dependencies]\nserde_with = \"3\"\n",
        ),
        (
            "api/src/lib.rs",
            &super::support::lib("pub a: Inner,", items),
        ),
    ];
    assert_eq!(
        reasons_of(&files),
        [
            "api/src/lib.rs:4: the attribute macro `serde_with::serde_as` is expanded before that of kb and may change `Inner`"
        ]
    );
}

#[test]
fn reports_all_reasons_sorted_by_location() {
    let lib = super::support::lib("pub a: inner::A, pub b: jiff::Zoned,", "mod inner;");
    let inner = "use jiff::*;\n#[kb::object]\npub struct A {\n    pub a: Zoned,\n    #[kb(default = now())]\n    pub b: i32,\n}\nfn now() -> i32 { 1 }";
    let found = reasons_of(&[("api/src/lib.rs", &lib), ("api/src/inner.rs", inner)]);
    let places: Vec<&str> = found
        .iter()
        .filter_map(|reason| reason.split(": ").next())
        .collect();
    assert_eq!(
        places,
        [
            "api/src/inner.rs:4",
            "api/src/inner.rs:5",
            "api/src/lib.rs:2"
        ]
    );
}
