//! Source trees in memory, and helpers to read them.

use std::collections::BTreeMap;

use kb_model::{
    api::{Default as Absent, Shape, Type, TypeDef, TypeId},
    crd::Definition,
};
use serde_json::Value;

use super::super::{Diagnostic, Files, ParsedApi, read};
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

    fn entries(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, String> {
        let start = dir.map_or(String::new(), |dir| format!("{dir}/"));
        let below = self.0.keys().filter_map(|path| path.strip_prefix(&start));
        let names: std::collections::BTreeSet<&str> =
            below.filter_map(|rest| rest.split('/').next()).collect();
        let full = names.into_iter().map(|name| format!("{start}{name}"));
        Ok(full.map(RelPath::new).collect())
    }
}

/// Creates a tree. The API crate has a Cargo.toml by default.
pub(super) fn tree(files: &[(&str, &str)]) -> Memory {
    let manifest =
        "[package]\nname = \"shop-api\"\n[dependencies]\nkb.workspace = true\njiff = \"1\"\n";
    let mut all = BTreeMap::from([("api/Cargo.toml".to_owned(), manifest.to_owned())]);
    for (path, text) in files {
        all.insert((*path).to_owned(), (*text).to_owned());
    }
    Memory(all)
}

/// Reads the API crate of a tree.
pub(super) fn read_tree(files: &[(&str, &str)]) -> Result<ParsedApi, Vec<Diagnostic>> {
    read(&RelPath::new("api"), &tree(files))
}

/// Returns a file with a kind `Foo` of these fields and with other items.
pub(super) fn lib(fields: &str, items: &str) -> String {
    format!(
        "#[kb::resource(group = \"example.com\", version = \"v1\", kind = \"Foo\")]
pub struct FooSpec {{ {fields} }}
{items}
pub fn definitions() -> Vec<kb::CrdDefinition> {{ vec![Foo::definition()] }}
"
    )
}

/// Reads sources that need no fallback.
pub(super) fn complete(files: &[(&str, &str)]) -> ParsedApi {
    let reading = read_tree(files).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(reading.reasons, [], "{files:#?}");
    reading
}

/// Returns the definition of the only kind.
pub(super) fn only(files: &[(&str, &str)]) -> Definition {
    let mut definitions = complete(files).definitions;
    assert_eq!(definitions.len(), 1);
    definitions.remove(0)
}

/// Returns the definition of `Foo` with these fields and items.
pub(super) fn foo(fields: &str, items: &str) -> Definition {
    only(&[("api/src/lib.rs", &lib(fields, items))])
}

/// Returns the type of the only field of `Foo`.
pub(super) fn type_of(ty: &str, items: &str) -> Type {
    let definition = foo(&format!("pub field: {ty},"), items);
    field_type(spec(&definition), "field")
}

/// Returns the default of the only field of `Foo`.
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

/// Returns the fallback reasons for a [`lib`].
pub(super) fn reasons(fields: &str, items: &str) -> Vec<String> {
    reasons_of(&[("api/src/lib.rs", &lib(fields, items))])
}

pub(super) fn reasons_of(files: &[(&str, &str)]) -> Vec<String> {
    let reading = read_tree(files).unwrap_or_else(|errors| panic!("{errors:#?}"));
    reading.reasons.iter().map(ToString::to_string).collect()
}

/// Returns the errors for a [`lib`], as `path:line:column: message`.
pub(super) fn errors(fields: &str, items: &str) -> Vec<String> {
    errors_of(&[("api/src/lib.rs", &lib(fields, items))])
}

pub(super) fn errors_of(files: &[(&str, &str)]) -> Vec<String> {
    let Err(errors) = read_tree(files) else {
        panic!("no errors in {files:#?}");
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

/// Returns the definition of the spec.
pub(super) fn spec(definition: &Definition) -> &TypeDef<Type> {
    defined(definition, &definition.resource.spec)
}

/// Returns the definition that a type refers to.
pub(super) fn defined<'d>(definition: &'d Definition, ty: &Type) -> &'d TypeDef<Type> {
    match ty {
        Type::Ref(id) => &definition.types[id],
        Type::Optional(inner) | Type::List(inner) | Type::Map(inner) => defined(definition, inner),
        other => panic!("{other:?} is no reference"),
    }
}

/// Returns the type of a field, by its serialized name.
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
