//! Trees of files in memory, and short questions to what is read of them.

use std::collections::BTreeMap;

use kb_model::{
    api::{Default as Absent, Shape, Type, TypeDef, TypeId},
    crd::Definition,
};
use serde_json::Value;

use super::super::{Diagnostic, Files, Reading, read, read_shared};
use crate::plan::RelPath;

/// Files by path.
pub(super) struct Memory(BTreeMap<String, String>);

impl Files for Memory {
    fn text(&self, path: &RelPath) -> Result<Option<String>, String> {
        match self.0.get(path.as_str()).map(String::as_str) {
            Some("unreadable") => Err("cannot be read".to_owned()),
            text => Ok(text.map(ToOwned::to_owned)),
        }
    }

    fn entries(&self, folder: Option<&RelPath>) -> Result<Vec<RelPath>, String> {
        let start = folder.map_or(String::new(), |folder| format!("{folder}/"));
        let below = self.0.keys().filter_map(|path| path.strip_prefix(&start));
        let names: std::collections::BTreeSet<&str> =
            below.filter_map(|rest| rest.split('/').next()).collect();
        let full = names.into_iter().map(|name| format!("{start}{name}"));
        Ok(full.map(RelPath::new).collect())
    }
}

/// A tree with a Cargo.toml of the API crate, unless it has one.
pub(super) fn tree(files: &[(&str, &str)]) -> Memory {
    let manifest =
        "[package]\nname = \"shop-api\"\n[dependencies]\nkb.workspace = true\njiff = \"1\"\n";
    let mut all = BTreeMap::from([("api/Cargo.toml".to_owned(), manifest.to_owned())]);
    for (path, text) in files {
        all.insert((*path).to_owned(), (*text).to_owned());
    }
    Memory(all)
}

/// What is read, by one thread. Several must say the same, if they say anything.
pub(super) fn read_tree(files: &[(&str, &str)]) -> Result<Reading, Vec<Diagnostic>> {
    let (api, memory) = (RelPath::new("api"), tree(files));
    let shared: Vec<_> = (2..4)
        .filter_map(|threads| Some(read_shared(&api, &memory, threads)?.0))
        .collect();
    let reading = read(&api, &memory);
    for definitions in shared {
        let alone = reading.as_ref().ok();
        let alone = alone.map(|reading| {
            (
                &reading.definitions,
                &reading.reasons,
                reading.warnings.len(),
            )
        });
        assert_eq!(alone, Some((&definitions, &Vec::new(), 0)), "{files:#?}");
    }
    reading
}

/// One file with one kind `Foo` that has these fields, beside these other items.
pub(super) fn lib(fields: &str, items: &str) -> String {
    format!(
        "#[kb::resource(group = \"example.com\", version = \"v1\", kind = \"Foo\")]
pub struct FooSpec {{ {fields} }}
{items}
pub fn definitions() -> Vec<kb::CrdDefinition> {{ vec![Foo::definition()] }}
"
    )
}

/// What is read of sources that hold nothing for the slow path.
pub(super) fn complete(files: &[(&str, &str)]) -> Reading {
    let reading = read_tree(files).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(reading.reasons, [], "{files:#?}");
    reading
}

/// The definition of the only kind.
pub(super) fn only(files: &[(&str, &str)]) -> Definition {
    let mut definitions = complete(files).definitions;
    assert_eq!(definitions.len(), 1);
    definitions.remove(0)
}

/// The definition of `Foo` with these fields and items.
pub(super) fn foo(fields: &str, items: &str) -> Definition {
    only(&[("api/src/lib.rs", &lib(fields, items))])
}

/// The type of the only field of `Foo`.
pub(super) fn type_of(ty: &str, items: &str) -> Type {
    let definition = foo(&format!("pub field: {ty},"), items);
    field_type(spec(&definition), "field")
}

/// The value of the default of the only field of `Foo`.
pub(super) fn default_of(ty: &str, expression: &str, items: &str) -> Value {
    let field = format!("#[kb(default = {expression})] pub field: {ty},");
    let definition = foo(&field, items);
    let Shape::Struct(fields) = &spec(&definition).shape else {
        panic!("no struct");
    };
    match &fields[0].default {
        Some(Absent::Value(value)) => value.clone(),
        other => panic!("{other:?}"),
    }
}

/// The reasons for the slow path, with the items of [`lib`].
pub(super) fn reasons(fields: &str, items: &str) -> Vec<String> {
    reasons_of(&[("api/src/lib.rs", &lib(fields, items))])
}

pub(super) fn reasons_of(files: &[(&str, &str)]) -> Vec<String> {
    let reading = read_tree(files).unwrap_or_else(|errors| panic!("{errors:#?}"));
    reading.reasons.iter().map(ToString::to_string).collect()
}

/// The mistakes, with the items of [`lib`], as `path:line:column: message`.
pub(super) fn mistakes(fields: &str, items: &str) -> Vec<String> {
    mistakes_of(&[("api/src/lib.rs", &lib(fields, items))])
}

pub(super) fn mistakes_of(files: &[(&str, &str)]) -> Vec<String> {
    let Err(errors) = read_tree(files) else {
        panic!("no mistakes are found in {files:#?}");
    };
    errors.iter().map(line).collect()
}

pub(super) fn line(diagnostic: &Diagnostic) -> String {
    let Diagnostic {
        path,
        line,
        column,
        message,
        ..
    } = diagnostic;
    format!("{path}:{line}:{column}: {message}")
}

/// The definition of the spec.
pub(super) fn spec(definition: &Definition) -> &TypeDef<Type> {
    defined(definition, &definition.resource.spec)
}

/// The definition that a type refers to.
pub(super) fn defined<'d>(definition: &'d Definition, ty: &Type) -> &'d TypeDef<Type> {
    match ty {
        Type::Ref(id) => &definition.types[id],
        Type::Optional(inner) | Type::List(inner) | Type::Map(inner) => defined(definition, inner),
        other => panic!("{other:?} is no reference"),
    }
}

/// The type of a field, by its name on the wire.
pub(super) fn field_type(definition: &TypeDef<Type>, name: &str) -> Type {
    let Shape::Struct(fields) = &definition.shape else {
        panic!("{} is no struct", definition.name);
    };
    let field = fields.iter().find(|field| field.name == name);
    let field = field.unwrap_or_else(|| panic!("{} has no {name}", definition.name));
    field.ty.clone().expect("a type")
}

pub(super) fn reference(path: &str) -> Type {
    Type::Ref(TypeId::new(path))
}

pub(super) fn optional(ty: Type) -> Type {
    Type::Optional(Box::new(ty))
}

pub(super) fn list(ty: Type) -> Type {
    Type::List(Box::new(ty))
}

pub(super) fn map(ty: Type) -> Type {
    Type::Map(Box::new(ty))
}

pub(super) fn core(component: &str) -> Type {
    Type::Core(component.to_owned())
}

pub(super) const I32: Type = Type::Integer {
    bits: 32,
    signed: true,
};
