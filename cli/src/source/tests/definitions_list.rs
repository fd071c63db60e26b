//! The list of kinds in `definitions()`.

use super::support::{complete, line, reasons_of};

const KINDS: &str = "
pub mod v1 {
    #[kb::resource(group = \"example.com\", version = \"v1\", kind = \"Foo\")]
    pub struct FooSpec { pub a: i32 }
    #[kb::resource(group = \"example.com\", version = \"v1\", kind = \"Bar\")]
    pub struct BarSpec { pub a: i32 }
}
use v1::Bar as Renamed;
";

fn listed(list: &str) -> Vec<String> {
    let source = format!("{KINDS}\npub fn definitions() -> Vec<kb::CrdDefinition> {{ {list} }}");
    let reading = complete(&[("api/src/lib.rs", &source)]);
    let kinds = reading.definitions.iter();
    kinds
        .map(|definition| definition.resource.kind.to_string())
        .collect()
}

#[test]
fn keeps_the_order_of_the_list() {
    assert_eq!(
        listed("vec![v1::Foo::definition(), v1::Bar::definition()]"),
        ["Foo", "Bar"]
    );
    assert_eq!(
        listed("vec![Renamed::definition(), crate::v1::Foo::definition(),]"),
        ["Bar", "Foo"]
    );
    assert_eq!(listed("Vec::from([self::v1::Foo::definition()])"), ["Foo"]);
    assert_eq!(listed("[v1::Foo::definition()]"), ["Foo"]);
    assert!(listed("vec![]").is_empty());
    assert!(listed("Vec::new()").is_empty());
}

#[test]
fn warns_about_unlisted_kinds() {
    let source = format!(
        "{KINDS}\npub fn definitions() -> Vec<kb::CrdDefinition> {{ vec![v1::Foo::definition()] }}"
    );
    let reading = complete(&[("api/src/lib.rs", &source)]);
    let warnings: Vec<String> = reading.warnings.iter().map(line).collect();
    assert_eq!(
        warnings,
        [
            "api/src/lib.rs:6:16: Bar (v1) is not listed in `definitions()` of api/src/lib.rs, so no CRD is generated"
        ]
    );
}

#[test]
fn falls_back_for_other_lists() {
    for body in [
        "let mut all = vec![v1::Foo::definition()]; all.sort(); all",
        "more(vec![v1::Foo::definition()])",
        "vec![v1::Foo::definition(); 2]",
    ] {
        let source =
            format!("{KINDS}\npub fn definitions() -> Vec<kb::CrdDefinition> {{ {body} }}");
        assert_eq!(
            reasons_of(&[("api/src/lib.rs", &source)]),
            [
                "api/src/lib.rs:10: `definitions()` is not a plain list of `Kind::definition()` calls"
            ]
        );
    }
}

#[test]
fn falls_back_for_elements_that_are_not_kinds() {
    for (element, reason) in [
        (
            "other()",
            "`other()` in `definitions()` is not a `Kind::definition()` call",
        ),
        (
            "v1::Baz::definition()",
            "`v1::Baz` in `definitions()`: cannot find `Baz` in `shop_api::v1`",
        ),
        (
            "v1::FooSpec::definition()",
            "`v1::FooSpec` in `definitions()` is not a kind",
        ),
    ] {
        let source = format!(
            "{KINDS}\npub fn definitions() -> Vec<kb::CrdDefinition> {{ vec![{element}] }}"
        );
        let reasons = reasons_of(&[("api/src/lib.rs", &source)]);
        assert_eq!(reasons, [format!("api/src/lib.rs:10: {reason}")]);
    }
}

#[test]
fn falls_back_without_a_list() {
    assert_eq!(
        reasons_of(&[("api/src/lib.rs", KINDS)]),
        ["api/src/lib.rs: no function `definitions()` in the crate root"]
    );
}
