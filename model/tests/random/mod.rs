//! Random APIs whose marks mostly fit their types, so that most of them can be built.

use kb_model::api::{
    Column, Default, Field, Presence, ScalePart, Shape, SpecLayout, Type, TypeDef, Variant,
    VariantContent,
};
use kb_model::crd::Definition;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use crate::definitions::{field, kind, marked_type, marks, newtype, shaped, structure};

/// Names of types. Later types refer to earlier ones, so there are no cycles.
const NAMES: [&str; 6] = ["A", "B", "C", "D", "E", "F"];

/// Generates a kind with a spec, a status and a few types.
pub(crate) fn definition() -> impl Strategy<Value = Definition> {
    let types = (0..NAMES.len()).map(|index| type_def(NAMES[index], index));
    let types = types.collect::<Vec<_>>();
    let layout = select(vec![
        SpecLayout::Required,
        SpecLayout::Optional,
        SpecLayout::Root,
    ]);
    let spec = fields(NAMES.len());
    let status = prop::option::of(fields(NAMES.len()));
    (types, spec, status, layout, any::<bool>()).prop_map(
        |(mut types, spec, status, layout, subresource)| {
            types.push(structure("Spec", spec));
            let mut definition = kind("Foo", types);
            definition.resource.spec_layout = layout;
            if let Some(status) = status {
                definition = crate::definitions::with_status(definition, status);
                definition.resource.status_subresource = subresource;
            }
            definition
        },
    )
}

fn type_def(name: &'static str, known: usize) -> impl Strategy<Value = TypeDef<Type>> {
    let variants = prop::collection::vec(variant(known), 1..4).prop_map(with_distinct_names);
    let shape = prop_oneof![
        4 => fields(known).prop_map(move |fields| structure(name, fields)),
        2 => value(known).prop_map(move |value| newtype(name, value)),
        1 => variants.prop_map(move |variants| shaped(name, Shape::Union(variants))),
        1 => subsequence(vec!["Red", "Green", "Blue"], 1..3).prop_map(move |names| {
            let names = names.into_iter().map(str::to_owned).collect();
            shaped(name, Shape::Choice(names))
        }),
    ];
    (shape, any::<bool>(), docs()).prop_map(|(def, ruled, docs)| {
        let rules = if ruled {
            json!({ "rules": [{ "rule": "self == self" }] })
        } else {
            json!({})
        };
        TypeDef {
            docs,
            ..marked_type(def, rules)
        }
    })
}

fn variant(known: usize) -> impl Strategy<Value = Variant<Type>> {
    let content = prop_oneof![
        value(known).prop_map(|value| VariantContent::Newtype(Box::new(value))),
        fields(known).prop_map(VariantContent::Struct),
    ];
    (content, docs()).prop_map(|(content, docs)| Variant {
        name: String::new(),
        docs,
        content,
    })
}

fn with_distinct_names(mut variants: Vec<Variant<Type>>) -> Vec<Variant<Type>> {
    for (index, variant) in variants.iter_mut().enumerate() {
        variant.name = format!("v{index}");
    }
    variants
}

fn docs() -> impl Strategy<Value = String> {
    select(vec!["", "What it is.", "Two lines.\nOf text"]).prop_map(str::to_owned)
}

fn fields(known: usize) -> impl Strategy<Value = Vec<Field<Type>>> {
    let names = vec![
        "name",
        "my-name",
        "if",
        "namespace",
        "readyReplicas",
        "a.b",
        "x",
        "y",
        "z",
    ];
    let values = prop::collection::vec(value(known), 9);
    (subsequence(names, 0..5), values).prop_map(|(names, values)| {
        let pairs = names.into_iter().zip(values);
        pairs
            .map(|(name, value)| Field {
                name: if value.flatten { "" } else { name }.to_owned(),
                ..value
            })
            .collect()
    })
}

/// Generates a field without name.
fn value(known: usize) -> impl Strategy<Value = Field<Type>> {
    let presence = select(vec![
        Presence::ByType,
        Presence::ByType,
        Presence::Required,
        Presence::Optional,
    ]);
    let flags = (any::<bool>(), 0..12, docs());
    (ty(known), presence, flags).prop_flat_map(|(ty, presence, (immutable, extra, docs))| {
        marks_for(&ty).prop_map(move |json| Field {
            allow_float: true,
            docs: docs.clone(),
            presence,
            immutable: immutable && extra == 0,
            flatten: extra == 4 && matches!(ty, Type::Ref(_) | Type::Map(_) | Type::Any),
            columns: if extra == 1 {
                vec![Column::default()]
            } else {
                Vec::new()
            },
            selectable: extra == 2,
            scale: (extra == 3).then_some(ScalePart::Replicas),
            default: default_for(&ty).filter(|_| extra > 9).map(Default::Value),
            marks: marks(json),
            ..field("", ty.clone())
        })
    })
}

fn ty(known: usize) -> impl Strategy<Value = Type> {
    let integers = (select(vec![8, 16, 32, 64]), any::<bool>())
        .prop_map(|(bits, signed)| Type::Integer { bits, signed });
    let core = select(vec![
        "io.k8s.apimachinery.pkg.api.resource.Quantity",
        "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
        "io.k8s.apimachinery.pkg.apis.meta.v1.Condition",
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
        "io.k8s.api.core.v1.EnvVar",
    ]);
    let leaf = prop_oneof![
        2 => Just(Type::String),
        2 => integers,
        1 => Just(Type::Bool),
        1 => Just(Type::Float),
        1 => Just(Type::Any),
        1 => core.prop_map(|name| Type::Core(name.to_owned())),
        3 => (0..known.max(1)).prop_map(move |index| {
            if known == 0 { Type::String } else { crate::definitions::reference(NAMES[index]) }
        }),
    ];
    leaf.prop_recursive(2, 4, 1, |inner| {
        let inner = inner.prop_map(Box::new);
        prop_oneof![
            inner.clone().prop_map(Type::Optional),
            inner.clone().prop_map(Type::List),
            inner.clone().prop_map(Type::Set),
            inner.clone().prop_map(|inner| Type::Array(inner, 2)),
            inner.prop_map(Type::Map),
        ]
    })
}

/// Generates marks that fit a type. References are not followed.
fn marks_for(ty: &Type) -> BoxedStrategy<Value> {
    let marks: Vec<(&str, Value)> = match ty {
        Type::Optional(inner) => return marks_for(inner),
        Type::Integer { .. } => vec![
            ("minimum", json!(1)),
            ("maximum", json!(100)),
            ("multiple_of", json!(2)),
            ("format", json!("int64")),
            ("nullable", json!(true)),
            ("int_or_string", json!(true)),
            ("schema_type", json!("string")),
        ],
        Type::String => vec![
            ("min_length", json!(1)),
            ("max_length", json!(30)),
            ("pattern", json!("^a")),
            ("format", json!("uri")),
            ("enum", json!(["abc", "a"])),
            ("example", json!("abc")),
        ],
        Type::List(_) | Type::Set(_) => vec![
            ("max_items", json!(9)),
            ("list_type", json!("atomic")),
            ("list_type", json!("set")),
            ("list_map_keys", json!(["name"])),
            ("items", json!({ "title": "An element" })),
            ("preserve_unknown_fields", json!(true)),
        ],
        Type::Map(_) => vec![
            ("min_properties", json!(0)),
            ("map_type", json!("atomic")),
            ("values", json!({ "nullable": true })),
        ],
        Type::Any => vec![
            ("embedded_resource", json!(true)),
            ("schema_type", json!("object")),
            ("preserve_unknown_fields", json!(true)),
        ],
        _ => vec![
            ("title", json!("A title")),
            ("nullable", json!(true)),
            ("rules", json!([{ "rule": "self == oldSelf" }])),
            (
                "rules",
                json!([{ "rule": "self == self", "message": "never" }]),
            ),
            ("external_docs", json!({ "url": "https://example.com" })),
        ],
    };
    subsequence(marks, 0..3)
        .prop_map(|marks| {
            let pairs = marks
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value));
            Value::Object(pairs.collect())
        })
        .boxed()
}

fn default_for(ty: &Type) -> Option<Value> {
    match ty {
        Type::Bool => Some(json!(true)),
        Type::Integer { .. } => Some(json!(4)),
        Type::String => Some(json!("abc")),
        Type::List(_) | Type::Set(_) => Some(json!([])),
        Type::Map(_) | Type::Any => Some(json!({})),
        Type::Optional(inner) => default_for(inner),
        _ => None,
    }
}
