//! Tests that markers, macros and the schema builder agree on which marker fits which type.

use kb_model::{
    api::{Field, Marks, SchemaType, Shape, Type, TypeDef, TypeId, Types},
    fit::{self, Form, Requirement, format_requirement, requirement},
    schema::schema,
};
use proc_macro2::TokenStream;
use quote::quote;

/// Every marker with a requirement: its label in messages, and its usage.
const MARKERS: [(&str, &str); 27] = [
    ("minimum", "minimum = 1"),
    ("maximum", "maximum = 1"),
    ("multiple_of", "multiple_of = 1"),
    ("exclusive_minimum", "minimum = 1, exclusive_minimum"),
    ("exclusive_maximum", "maximum = 1, exclusive_maximum"),
    ("min_length", "min_length = 1"),
    ("max_length", "max_length = 1"),
    ("pattern", "pattern = \"a\""),
    ("format", "format = \"int32\""),
    ("format", "format = \"double\""),
    ("format", "format = \"uri\""),
    ("min_items", "min_items = 1"),
    ("max_items", "max_items = 1"),
    ("list_type", "list_type = \"atomic\""),
    ("list_map_key", "list_map_key = \"name\""),
    ("items", "items(title = \"a\")"),
    ("values", "values(title = \"a\")"),
    ("min_properties", "min_properties = 1"),
    ("max_properties", "max_properties = 1"),
    ("map_type", "map_type = \"atomic\""),
    ("struct_type", "struct_type = \"atomic\""),
    ("embedded_resource", "embedded_resource"),
    ("preserve_unknown_fields", "preserve_unknown_fields"),
    ("column", "column"),
    ("selectable", "selectable"),
    ("scale(replicas)", "scale(replicas)"),
    ("scale(selector)", "scale(selector)"),
];

fn requirement_of(label: &str, usage: &str) -> Requirement {
    match usage.strip_prefix("format = ") {
        Some(format) => format_requirement(format.trim_matches('"')).unwrap(),
        None => requirement(label),
    }
}

/// Calls `check` for every marker and form.
fn each(mut check: impl FnMut(&str, &str, Requirement, Form)) {
    for (label, usage) in MARKERS {
        for form in Form::ALL {
            check(label, usage, requirement_of(label, usage), form);
        }
    }
}

fn item(markers: &str, ty: &str) -> syn::Item {
    syn::parse_str(&format!("struct Spec {{ #[kb({markers})] x: {ty} }}")).unwrap()
}

#[test]
fn covers_every_marker() {
    for marker in fit::markers() {
        assert!(
            MARKERS.iter().any(|(label, _)| *label == marker),
            "{marker}"
        );
    }
}

#[test]
fn the_parser_follows_the_table() {
    each(|label, usage, requirement, form| {
        let (declared, ty) = match form {
            Form::Any => ("schemaless", "Foreign"),
            Form::Boolean => ("title = \"a\"", "bool"),
            Form::Integer => ("title = \"a\"", "i32"),
            Form::Number => ("allow_float", "f64"),
            Form::String => ("title = \"a\"", "String"),
            Form::IntOrString => ("int_or_string", "Foreign"),
            Form::List => ("title = \"a\"", "Vec<Element>"),
            Form::Map => ("title = \"a\"", "BTreeMap<String, String>"),
            Form::OpenObject => ("schema_type = \"object\"", "Foreign"),
            // A struct is only known by its name.
            Form::Object => return,
        };
        let item = item(&format!("{declared}, {usage}"), ty);
        let read = kb_markers::read_object(TokenStream::new(), item);
        let errors = read.err().into_iter().flatten();
        let expected = format!("`{label}` requires {}", requirement.phrase());
        let mismatches = errors.filter(|error| error.to_string().starts_with(&expected));
        let fits = mismatches.count() == 0;
        assert_eq!(fits, requirement.accepts(form), "{usage} on {form:?}");
    });
}

#[test]
fn the_schema_builder_follows_the_table() {
    each(|label, usage, requirement, form| {
        let (id, element) = (TypeId::new("Spec"), TypeId::new("Element"));
        let ty = match form {
            Form::Any => Type::Any,
            Form::Boolean => Type::Bool,
            Form::Integer => Type::Integer {
                bits: 32,
                signed: true,
            },
            Form::Number => Type::Float,
            Form::String => Type::String,
            Form::IntOrString => {
                Type::Core("io.k8s.apimachinery.pkg.util.intstr.IntOrString".to_owned())
            }
            Form::List => Type::List(Box::new(Type::Ref(element.clone()))),
            Form::Map => Type::Map(Box::new(Type::String)),
            Form::Object => Type::Ref(element.clone()),
            Form::OpenObject => Type::Ref(TypeId::new("Open")),
        };
        let read = kb_markers::read_object(TokenStream::new(), item(usage, "Named")).unwrap();
        let mut spec = read.def.try_map(&mut |_| Ok::<_, ()>(ty.clone())).unwrap();
        for field in spec.fields_mut() {
            field.allow_float = true;
        }
        let open = Marks {
            schema_type: Some(SchemaType::Object),
            ..Marks::default()
        };
        let types = Types::from([
            (id.clone(), spec),
            (
                element,
                definition(Shape::Struct(vec![Field::new("name", Type::String)]), None),
            ),
            (TypeId::new("Open"), definition(Shape::Opaque, Some(open))),
        ]);
        let problems = schema(&Type::Ref(id), &types).err().unwrap_or_default();
        // The builder has one check for `struct_type` and `map_type`, and one for a bound and its flag.
        let label = label
            .replace("struct_type", "map_type")
            .replace("exclusive_", "");
        let expected = format!(
            "`{label}` requires {}, but `x` is {}",
            requirement.phrase(),
            form.phrase()
        );
        let fits = !problems.iter().any(|problem| problem.message == expected);
        assert_eq!(fits, requirement.accepts(form), "{usage} on {form:?}");
    });
}

fn definition(shape: Shape<Type>, marks: Option<Marks>) -> TypeDef<Type> {
    TypeDef {
        name: "Element".to_owned(),
        docs: String::new(),
        marks: marks.unwrap_or_default(),
        shape,
    }
}

#[test]
fn the_macro_checks_every_marker_on_a_named_type() {
    for (label, usage) in MARKERS {
        let label = label.replace("struct_type", "map_type");
        let requirement = format!("{:?}", requirement_of(&label, usage));
        for (ty, generics, wrapper) in [("Named", "", "const _"), ("T", "<T>", "const {")] {
            let source = format!("struct Spec{generics} {{ #[kb({usage})] x: {ty} }}");
            let item: TokenStream = source.parse().unwrap();
            let expanded = super::object(TokenStream::new(), &quote!(#item)).to_string();
            let check = format!(
                ":: kb :: check :: fits (\"{label}\" , \"`x`\" , :: kb :: check :: Requirement :: {requirement} ,"
            );
            assert!(expanded.contains(&check), "{source}: {expanded}");
            assert!(expanded.contains(wrapper), "{source}: {expanded}");
        }
    }
}
