//! Errors and their locations.

use kb_model::crd::{Location, Problem};

use super::support::{complete, errors, errors_of, lib, read_tree};

#[test]
fn reports_the_errors_of_all_files() {
    let lib = lib("#[kb(minimun = 1)] pub a: i32,", "mod a; mod b;");
    let errors = errors_of(&[
        ("api/src/lib.rs", &lib),
        ("api/src/a.rs", "pub struct {"),
        (
            "api/src/b.rs",
            "#[kb::object]\npub struct B {\n    #[kb(nonsense)]\n    pub b: i32,\n}",
        ),
    ]);
    let locations: Vec<&str> = errors
        .iter()
        .filter_map(|line| line.split(": ").next())
        .collect();
    assert_eq!(
        locations,
        [
            "api/src/a.rs:1:12",
            "api/src/b.rs:3:10",
            "api/src/lib.rs:2:27"
        ]
    );
}

#[test]
fn checks_unreachable_types() {
    let errors = errors(
        "pub a: i32,",
        "#[kb::object] pub struct Unused { #[kb(nonsense)] pub b: i32 }",
    );
    assert_eq!(errors.len(), 1);
}

#[test]
fn rejects_the_attribute_on_other_items() {
    let errors = errors("pub a: i32,", "#[kb::object]\npub fn f() {}");
    assert_eq!(errors.len(), 1);
    assert!(errors[0].starts_with("api/src/lib.rs:3:1: "), "{errors:?}");
}

#[test]
fn errors_have_a_line_and_a_span() {
    let lib = lib(
        "pub a: i32,",
        "#[kb::object]\npub struct A {\n    #[kb(nonsense)]\n    pub b: i32,\n}",
    );
    let Err(errors) = read_tree(&[("api/src/lib.rs", &lib)]) else {
        panic!("no error");
    };
    assert_eq!(errors[0].source_line, "    #[kb(nonsense)]");
    assert_eq!(
        (errors[0].line, errors[0].column, errors[0].width),
        (5, 10, 8)
    );
}

#[test]
fn locates_problems_of_the_schema_builder() {
    let source = "#[kb::resource(group = \"example.com\", version = \"v1\", kind = \"Foo\")]
pub struct FooSpec {
    #[kb(minimum = 1)]
    pub first_port: Port,
}
#[kb::object]
pub struct Port(pub i32);
pub fn definitions() -> Vec<kb::CrdDefinition> { vec![Foo::definition()] }";
    let reading = complete(&[("api/src/lib.rs", source)]);
    let kb_model::api::Type::Ref(id) = &reading.definitions[0].resource.spec else {
        panic!("no reference");
    };
    let locate = |field: Option<&str>, mark: Option<&str>| {
        let location = Location {
            kind: Some("Foo (v1)".to_owned()),
            type_id: Some(id.clone()),
            field: field.map(str::to_owned),
            mark: mark.map(str::to_owned),
            path: ".spec.firstPort".to_owned(),
        };
        let problem = Problem {
            location,
            message: "it does not fit".to_owned(),
            help: Some("fix it".to_owned()),
        };
        let found = reading.sources.locate(&problem);
        assert_eq!(
            found.message,
            "it does not fit (.spec.firstPort of Foo (v1))"
        );
        assert_eq!(found.help.as_deref(), Some("fix it"));
        (found.line, found.column, found.width)
    };
    assert_eq!(locate(Some("firstPort"), Some("minimum")), (3, 10, 7));
    assert_eq!(locate(Some("firstPort"), None), (4, 9, 10));
    assert_eq!(locate(None, None), (2, 12, 7));
}

#[test]
fn problems_without_location_belong_to_the_crate() {
    let reading = complete(&[("api/src/lib.rs", &lib("pub a: i32,", ""))]);
    let problem = Problem {
        location: Location::default(),
        message: "two versions are stored".to_owned(),
        help: None,
    };
    let found = reading.sources.locate(&problem);
    assert_eq!((found.path.as_str(), found.line), ("api/src/lib.rs", 0));
}
