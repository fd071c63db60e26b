//! `cfg`: tests are skipped; features that matter are a reason to fall back.

use super::support::{complete, foo, reasons, reasons_of, type_of};

#[test]
fn skips_tests() {
    let items = "
        #[cfg(test)] mod tests { #[kb::object] struct Broken { a: (i32, i32) } }
        #[cfg(test)] mod no_file;
        #[cfg(all(test, feature = \"x\"))] #[kb::object] struct Broken { a: (i32, i32) }
        #[cfg(not(not(test)))] #[kb::object] struct Broken2 { a: (i32, i32) }
        #[cfg(any(test))] type Inner = (i32, i32);
        #[cfg(not(test))] type Inner = i32;";
    assert_eq!(type_of("Inner", items), super::support::I32);
}

#[test]
fn skips_files_with_inner_cfg_test() {
    let lib = super::support::lib("pub a: i32,", "mod tests;");
    complete(&[
        ("api/src/lib.rs", &lib),
        (
            "api/src/tests.rs",
            "#![cfg(test)]\n#[kb::object] struct A { a: (i32, i32) }",
        ),
    ]);
}

#[test]
fn falls_back_for_types_under_a_feature() {
    let expected =
        ["api/src/lib.rs:3: `#[cfg(feature = \"x\")]` depends on the build configuration"];
    for items in [
        "#[cfg(feature = \"x\")] #[kb::object] pub struct A { pub a: i32 }",
        "#[cfg(feature = \"x\")] mod a { #[kb::object] pub struct A { pub a: i32 } }",
    ] {
        assert_eq!(reasons("pub a: i32,", items), expected);
    }
    let items = "#[cfg(feature = \"x\")] type A = i32;";
    assert_eq!(reasons("pub a: A,", items), expected);
    let items = "#[cfg(feature = \"x\")] use kb::Duration as A;";
    assert_eq!(reasons("pub a: A,", items), expected);
}

#[test]
fn ignores_features_that_affect_no_type() {
    let items = "
        #[cfg(feature = \"client\")] mod client { pub fn connect() {} }
        #[cfg(feature = \"client\")] mod no_file;
        #[cfg(feature = \"client\")] use jiff::Timestamp;
        #[cfg(unix)] type Unused = jiff::Timestamp;";
    foo("pub a: i32,", items);
}

#[test]
fn falls_back_for_conditional_serde_attributes() {
    let items =
        "#[cfg_attr(feature = \"x\", derive(Hash))] #[kb::object] pub struct A { pub a: i32 }";
    foo("pub a: A,", items);
    let items = "#[cfg_attr(feature = \"x\", serde(rename_all = \"kebab-case\"))] #[kb::object] pub struct A { pub a: i32 }";
    assert_eq!(reasons("pub a: A,", items).len(), 1);
}

#[test]
fn falls_back_for_a_conditional_list() {
    let source =
        "#[cfg(feature = \"x\")] pub fn definitions() -> Vec<kb::CrdDefinition> { vec![] }";
    assert_eq!(reasons_of(&[("api/src/lib.rs", source)]).len(), 1);
}
