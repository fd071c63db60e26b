//! Small API definitions for tests, and their CRDs and problems.

#![allow(
    dead_code,
    reason = "each test file is a crate of its own, and uses a part"
)]

use kb_model::api::{
    Field, Marks, Presence, Resource, Scope, Shape, SpecLayout, Type, TypeDef, TypeId,
};
use kb_model::crd::{Crd, Definition, Options, Problem, build};
use kb_model::{Kind, Plural};
use serde_json::{Value, json};

const API_VERSION: &str = "APIVersion defines the versioned schema of this representation of an object.\nServers should convert recognized schemas to the latest internal value, and\nmay reject unrecognized values.\nMore info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
const KIND: &str = "Kind is a string value representing the REST resource this object represents.\nServers may infer this from the endpoint the client submits requests to.\nCannot be updated.\nIn CamelCase.\nMore info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";

/// Creates a required field.
pub(crate) fn field(name: &str, ty: Type) -> Field<Type> {
    Field::new(name, ty)
}

/// Creates a field with marks in JSON.
pub(crate) fn marked(name: &str, ty: Type, marks: Value) -> Field<Type> {
    Field {
        marks: self::marks(marks),
        ..field(name, ty)
    }
}

/// Makes a field optional.
pub(crate) fn optional(field: Field<Type>) -> Field<Type> {
    Field {
        presence: Presence::Optional,
        ..field
    }
}

/// Parses marks from JSON, like the runtime.
pub(crate) fn marks(json: Value) -> Marks {
    serde_json::from_value(json).expect("marks")
}

pub(crate) fn reference(name: &str) -> Type {
    Type::Ref(TypeId::new(name))
}

pub(crate) fn list(element: Type) -> Type {
    Type::List(Box::new(element))
}

pub(crate) fn map(value: Type) -> Type {
    Type::Map(Box::new(value))
}

pub(crate) fn option(inner: Type) -> Type {
    Type::Optional(Box::new(inner))
}

pub(crate) fn int32() -> Type {
    Type::Integer {
        bits: 32,
        signed: true,
    }
}

pub(crate) fn structure(name: &str, fields: Vec<Field<Type>>) -> TypeDef<Type> {
    shaped(name, Shape::Struct(fields))
}

pub(crate) fn newtype(name: &str, inner: Field<Type>) -> TypeDef<Type> {
    shaped(name, Shape::Newtype(Box::new(inner)))
}

pub(crate) fn shaped(name: &str, shape: Shape<Type>) -> TypeDef<Type> {
    TypeDef {
        name: name.to_owned(),
        docs: String::new(),
        marks: Marks::default(),
        shape,
    }
}

/// Adds marks to a type.
pub(crate) fn marked_type(def: TypeDef<Type>, marks: Value) -> TypeDef<Type> {
    TypeDef {
        marks: self::marks(marks),
        ..def
    }
}

/// Creates a kind whose spec has the type `Spec`. Types are identified by their names.
pub(crate) fn kind(name: &str, types: Vec<TypeDef<Type>>) -> Definition {
    let kind: Kind = name.parse().expect("kind");
    let plural: Plural = kind.plural();
    Definition {
        resource: Resource {
            group: "example.com".parse().expect("group"),
            version: "v1".parse().expect("version"),
            singular: kind.lower(),
            list_kind: format!("{kind}List"),
            plural,
            kind,
            short_names: Vec::new(),
            categories: Vec::new(),
            scope: Scope::Namespaced,
            docs: String::new(),
            marks: Marks::default(),
            spec: reference("Spec"),
            spec_layout: SpecLayout::Required,
            status: None,
            status_subresource: false,
            scale: None,
            columns: Vec::new(),
            storage: None,
            served: true,
            deprecated: None,
            annotations: std::collections::BTreeMap::default(),
            labels: std::collections::BTreeMap::default(),
        },
        types: types
            .into_iter()
            .map(|def| (TypeId::new(def.name.clone()), def))
            .collect(),
    }
}

/// Creates the kind `Foo` with these fields in its spec and additional types.
pub(crate) fn foo_with(fields: Vec<Field<Type>>, mut types: Vec<TypeDef<Type>>) -> Definition {
    types.push(structure("Spec", fields));
    kind("Foo", types)
}

/// Creates the kind `Foo` with these fields in its spec.
pub(crate) fn foo(fields: Vec<Field<Type>>) -> Definition {
    foo_with(fields, Vec::new())
}

/// Adds a status of type `Status` with these fields.
pub(crate) fn with_status(mut definition: Definition, fields: Vec<Field<Type>>) -> Definition {
    definition.resource.status = Some(reference("Status"));
    definition.resource.status_subresource = true;
    let id = TypeId::new("Status");
    definition.types.insert(id, structure("Status", fields));
    definition
}

/// Returns the CRD of a definition.
pub(crate) fn crd(definition: Definition) -> Crd {
    let mut crds = crds(&[definition]);
    assert_eq!(crds.len(), 1);
    crds.remove(0)
}

/// Returns the CRDs; fails on problems.
pub(crate) fn crds(definitions: &[Definition]) -> Vec<Crd> {
    build(definitions, &Options::default()).unwrap_or_else(|problems| {
        let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
        panic!("{}", lines.join("\n"))
    })
}

/// Returns the first version of the CRD.
pub(crate) fn version(definition: Definition) -> Value {
    crd(definition).document["spec"]["versions"][0].clone()
}

/// Returns the schema of the spec.
pub(crate) fn spec(definition: Definition) -> Value {
    version(definition)["schema"]["openAPIV3Schema"]["properties"]["spec"].clone()
}

/// Returns the schema of a required field of the spec.
pub(crate) fn schema_of(field: Field<Type>) -> Value {
    schema_with(field, Vec::new())
}

/// Same, with additional types.
pub(crate) fn schema_with(field: Field<Type>, types: Vec<TypeDef<Type>>) -> Value {
    let name = field.name.clone();
    spec(foo_with(vec![field], types))["properties"][&name].clone()
}

/// Returns all problems; fails if there are none.
pub(crate) fn problems(definitions: &[Definition]) -> Vec<Problem> {
    build(definitions, &Options::default()).expect_err("there are no problems")
}

/// Returns the messages of all problems.
pub(crate) fn messages(definition: Definition) -> Vec<String> {
    problems(&[definition])
        .into_iter()
        .map(|problem| problem.message)
        .collect()
}

/// Returns the only problem of a field in the spec.
pub(crate) fn problem_of(field: Field<Type>) -> Problem {
    problem_with(field, Vec::new())
}

/// Same, with additional types.
pub(crate) fn problem_with(field: Field<Type>, types: Vec<TypeDef<Type>>) -> Problem {
    let mut problems = problems(&[foo_with(vec![field], types)]);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems.remove(0)
}

/// Returns the schema of an object with these required properties.
pub(crate) fn object(properties: &Value) -> Value {
    let names: Vec<String> = properties
        .as_object()
        .expect("properties")
        .keys()
        .cloned()
        .collect();
    json!({ "type": "object", "properties": properties, "required": names })
}

/// Returns a root schema with these additional properties.
pub(crate) fn root(properties: &Value) -> Value {
    let mut root = json!({
        "type": "object",
        "properties": {
            "apiVersion": { "type": "string", "description": API_VERSION },
            "kind": { "type": "string", "description": KIND },
            "metadata": { "type": "object" },
        },
    });
    let properties = properties.as_object().expect("properties").clone();
    let all = root["properties"].as_object_mut().expect("properties");
    all.extend(properties);
    root
}

/// Adds a doc comment to a field.
pub(crate) fn documented(docs: &str, field: Field<Type>) -> Field<Type> {
    Field {
        docs: docs.to_owned(),
        ..field
    }
}

/// Adds a doc comment to a type.
pub(crate) fn documented_type(docs: &str, def: TypeDef<Type>) -> TypeDef<Type> {
    TypeDef {
        docs: docs.to_owned(),
        ..def
    }
}
