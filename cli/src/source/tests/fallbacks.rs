//! What only rustc knows: the reasons for the slow path.

use super::support::{reasons, reasons_of};

#[test]
fn types_of_foreign_crates_are_for_rustc() {
    assert_eq!(
        reasons(
            "pub a: jiff::Timestamp, pub b: Time,",
            "use jiff::civil::Time;"
        ),
        [
            "api/src/lib.rs:2: `jiff::Timestamp` of the crate jiff: only rustc knows it",
            "api/src/lib.rs:2: `jiff::civil::Time` of the crate jiff: only rustc knows it",
        ]
    );
    assert_eq!(
        reasons("pub a: std::num::NonZeroU8,", ""),
        ["api/src/lib.rs:2: `std::num::NonZeroU8` of the crate std: only rustc knows it"]
    );
}

#[test]
fn names_that_a_foreign_star_may_bring_are_for_rustc() {
    assert_eq!(
        reasons("pub a: Timestamp,", "use jiff::*;"),
        [
            "api/src/lib.rs:2: `Timestamp` may come from `use jiff::*`: only rustc knows what that has"
        ]
    );
    let some = reasons("pub a: String,", "use jiff::*;");
    assert_eq!(some.len(), 1, "it could have a String");
}

#[test]
fn types_that_macros_make_are_for_rustc() {
    let items = "macro_rules! make { ($n:ident) => { #[kb::object] pub struct $n { pub a: i32 } } }\nmake!(Inner);";
    assert_eq!(
        reasons("pub a: Inner,", items),
        [
            "api/src/lib.rs:2: `Inner` is not found in `shop_api`, but `make!` there may make it: only rustc knows"
        ]
    );
    let items = "include!(concat!(env!(\"OUT_DIR\"), \"/types.rs\"));";
    assert!(reasons("pub a: Inner,", items)[0].contains("`include!`"));
    assert!(reasons("pub a: inner!(),", "")[0].contains("`inner!` makes this type"));
}

#[test]
fn schemas_written_by_hand_are_for_rustc() {
    let items = "pub struct Inner; impl kb::Schema for Inner {}";
    assert_eq!(
        reasons("pub a: Vec<Inner>,", items),
        ["api/src/lib.rs:2: the schema of `Inner` is written by hand: only rustc knows it"]
    );
    let items = "pub struct Inner;";
    assert_eq!(
        reasons("#[kb(json_schema)] pub a: Inner,", items),
        ["api/src/lib.rs:2: the schema of `Inner` is schemars': only rustc knows it"]
    );
}

#[test]
fn attribute_macros_above_the_attribute_are_for_rustc() {
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
            "api/src/lib.rs:4: the attribute macro `serde_with::serde_as` stands above kb's and may change `Inner`: only rustc knows what it makes"
        ]
    );
}

#[test]
fn all_reasons_come_at_once_sorted_by_place() {
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
