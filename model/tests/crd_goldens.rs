//! Compares CRDs of kinds ported from controller-gen's tests.
//!
//! Checks the relevant parts; `scaffold-tests` compares the complete documents.

mod definitions;

use definitions::{
    crd, documented, documented_type, field, int32, kind, marked, marked_type, newtype, optional,
    reference, root, spec, structure, version,
};
use kb_model::api::{Default, Field, SpecLayout, Type};
use kb_model::crd::{Definition, Options, build};
use serde_json::{Value, json};

/// A kind with a default, an example, an optional spec, and an empty status without subresource.
fn foos() -> Definition {
    let defaulted = Field {
        default: Some(Default::Value(json!("fooDefaultString"))),
        ..marked(
            "defaultedString",
            Type::String,
            json!({ "example": "fooExampleString" }),
        )
    };
    let docs = "This tests that defaulted fields are stripped for v1beta1,\nbut not for v1";
    let spec = structure("Spec", vec![documented(docs, defaulted)]);
    let status = structure("Status", Vec::new());
    let mut definition = kind(
        "Foo",
        vec![
            documented_type("Spec comments SHOULD appear in the CRD spec", spec),
            documented_type("Status comments SHOULD appear in the CRD spec", status),
        ],
    );
    let resource = &mut definition.resource;
    resource.group = "bar.example.com".parse().expect("group");
    resource.version = "foo".parse().expect("version");
    resource.spec_layout = SpecLayout::Optional;
    resource.status = Some(reference("Status"));
    definition
}

#[test]
fn builds_a_complete_crd() {
    let crd = crd(foos());
    assert_eq!(crd.name(), "foos.bar.example.com");
    assert_eq!(crd.file_name(), "bar.example.com_foos.yaml");
    assert_eq!(crd.notes(), Vec::<String>::new());
    let schema = root(&json!({
        "spec": {
            "description": "Spec comments SHOULD appear in the CRD spec",
            "type": "object",
            "properties": { "defaultedString": {
                "type": "string",
                "default": "fooDefaultString",
                "example": "fooExampleString",
                "description": "This tests that defaulted fields are stripped for v1beta1,\nbut not for v1",
            } },
            "required": ["defaultedString"],
        },
        "status": {
            "description": "Status comments SHOULD appear in the CRD spec",
            "type": "object",
        },
    }));
    assert_eq!(
        crd.document,
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": { "name": "foos.bar.example.com" },
            "spec": {
                "group": "bar.example.com",
                "names": { "kind": "Foo", "listKind": "FooList", "plural": "foos", "singular": "foo" },
                "scope": "Namespaced",
                "versions": [{
                    "name": "foo",
                    "schema": { "openAPIV3Schema": schema },
                    "served": true,
                    "storage": true,
                }],
            },
        })
    );
}

#[test]
fn truncates_descriptions_at_a_sentence_or_space() {
    let options = Options {
        max_desc_len: Some(50),
        ..Options::default()
    };
    let crds = build(&[foos()], &options).expect("a CRD");
    let schema =
        &crds[0].document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"];
    for (path, text) in [
        (
            "/apiVersion",
            "APIVersion defines the versioned schema of this...",
        ),
        ("/kind", "Kind is a string value representing the REST..."),
        ("/spec", "Spec comments SHOULD appear in the CRD spec"),
        (
            "/spec/properties/defaultedString",
            "This tests that defaulted fields are stripped for...",
        ),
    ] {
        let schema = schema.pointer(path).expect(path);
        assert_eq!(schema["description"], text, "{path}");
    }
}

/// Bounds, a nested type and a required spec.
fn jobs() -> Definition {
    let cron = structure(
        "CronJobSpec",
        vec![
            documented(
                "This tests that markers that are allowed on both fields and types are applied to fields",
                marked("twoOfAKindPart0", Type::String, json!({ "min_length": 4 })),
            ),
            marked(
                "int32WithValidations",
                int32(),
                json!({ "minimum": -2, "maximum": 2, "multiple_of": 2 }),
            ),
        ],
    );
    let spec = structure(
        "Spec",
        vec![
            documented(
                "FriendlyName is the friendly name for the job.",
                marked("friendlyName", Type::String, json!({ "min_length": 5 })),
            ),
            documented(
                "Count is the number of times a job may be executed.",
                marked("count", int32(), json!({ "minimum": 0, "maximum": 10 })),
            ),
            documented(
                "CronJob is the spec for the related CrongJob.",
                field("crongJob", reference("CronJobSpec")),
            ),
        ],
    );
    let mut definition = kind(
        "Job",
        vec![
            documented_type("JobSpec is the spec for the jobs API.", spec),
            cron,
        ],
    );
    definition.resource.docs = "Job is the Schema for the jobs API".into();
    definition.resource.group = "testdata.kubebuilder.io".parse().expect("group");
    definition.resource.version = "v1beta1".parse().expect("version");
    definition
}

#[test]
fn bounds_nested_types_and_a_required_spec() {
    let version = version(jobs());
    let schema = &version["schema"]["openAPIV3Schema"];
    assert_eq!(schema["required"], json!(["spec"]));
    assert_eq!(schema["description"], "Job is the Schema for the jobs API");
    let spec = &schema["properties"]["spec"];
    assert_eq!(
        spec["required"],
        json!(["count", "crongJob", "friendlyName"])
    );
    assert_eq!(spec["description"], "JobSpec is the spec for the jobs API.");
    assert_eq!(
        spec["properties"]["count"],
        json!({
            "description": "Count is the number of times a job may be executed.",
            "format": "int32",
            "maximum": 10,
            "minimum": 0,
            "type": "integer",
        })
    );
    let nested = &spec["properties"]["crongJob"];
    assert_eq!(
        nested["required"],
        json!(["int32WithValidations", "twoOfAKindPart0"])
    );
    assert_eq!(
        nested["description"],
        "CronJob is the spec for the related CrongJob."
    );
    assert_eq!(
        nested["properties"]["int32WithValidations"],
        json!({ "format": "int32", "maximum": 2, "minimum": -2, "multipleOf": 2, "type": "integer" })
    );
}

/// `external_docs` on a field, without description, and on a type.
fn external_docs() -> Definition {
    let docs = |url: &str, description: &str| {
        let mut docs = json!({ "url": url });
        if !description.is_empty() {
            docs["description"] = description.into();
        }
        json!({ "external_docs": docs })
    };
    let linked = |name: &str, marks: Value| optional(marked(name, Type::String, marks));
    let url = "https://example.com/docs";
    let name = marked_type(
        newtype("Documented", field("", Type::String)),
        docs("https://example.com/type-docs", "type-level external docs"),
    );
    let spec = structure(
        "Spec",
        vec![
            documented(
                "This tests that external documentation can be attached to a field with url and description.",
                linked(
                    "fieldWithExternalDoc",
                    docs(url, "external docs description"),
                ),
            ),
            documented(
                "This tests that external documentation can be attached with only url.",
                linked("fieldWithExternalDocURLOnly", docs(url, "")),
            ),
            documented(
                "This tests that external documentation from a type is propagated.",
                optional(field("typeWithExternalDoc", reference("Documented"))),
            ),
        ],
    );
    let docs = "ExternalDocSpec defines the desired state of ExternalDoc";
    let mut definition = kind("ExternalDoc", vec![documented_type(docs, spec), name]);
    let resource = &mut definition.resource;
    resource.group = "testdata.kubebuilder.io".parse().expect("group");
    resource.docs = "ExternalDoc is the Schema for the external docs API".into();
    resource.spec_layout = SpecLayout::Optional;
    definition
}

#[test]
fn links_to_docs_come_from_the_field_or_its_type() {
    let schema = spec(external_docs());
    assert_eq!(schema.get("required"), None);
    for (name, docs) in [
        (
            "fieldWithExternalDoc",
            json!({ "url": "https://example.com/docs", "description": "external docs description" }),
        ),
        (
            "fieldWithExternalDocURLOnly",
            json!({ "url": "https://example.com/docs" }),
        ),
        (
            "typeWithExternalDoc",
            json!({ "url": "https://example.com/type-docs", "description": "type-level external docs" }),
        ),
    ] {
        assert_eq!(schema["properties"][name]["externalDocs"], docs);
    }
}
