//! Collects the definitions that a type leads to.
//!
//! What the macros hand over is a definition as JSON text, with positions in place of types, and the functions that say what
//! those types are. One text constant costs the compiler far less than a nest of struct expressions. A definition is
//! known before its fields are asked, so types that lead back to themselves end here; the builder refuses them with the whole chain.

use std::collections::BTreeMap;

use kb_model::api::{Default as Absent, Type, TypeDef, TypeId, Types};
use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::Value;

/// Says what a type is: [`Schema::schema_type`](super::Schema::schema_type).
pub type SchemaType = fn(&mut Registry) -> Type;

/// A schema by `schemars`: its `JsonSchema::json_schema`.
pub(crate) type Describe = fn(&mut SchemaGenerator) -> schemars::Schema;

/// The definitions that were met.
#[derive(Debug, Default)]
pub struct Registry {
    types: Types,
    /// By Rust's name of the type: two types can have the same one, in functions for example.
    known: BTreeMap<&'static str, Vec<(&'static str, TypeId)>>,
    core: BTreeMap<&'static str, Describe>,
}

impl Registry {
    /// Registers a definition once, with the types it leads to, and gives the reference to it.
    ///
    /// `definition` is the JSON form of a definition whose types are positions in `types`, and whose computed defaults are
    /// positions in `defaults`. For the code that kb's attributes write.
    pub fn define(
        &mut self,
        name: &'static str,
        definition: &'static str,
        types: &[SchemaType],
        defaults: &[fn() -> Value],
    ) -> Type {
        let same_name = self.known.entry(name).or_default();
        if let Some((_, id)) = same_name.iter().find(|(known, _)| *known == definition) {
            return Type::Ref(id.clone());
        }
        let id = match same_name.len() {
            0 => TypeId::new(name),
            others => TypeId::new(format!("{name}#{others}")),
        };
        same_name.push((definition, id.clone()));
        let resolved: Vec<Type> = types.iter().map(|schema_type| schema_type(self)).collect();
        let definition = read(name, definition, &resolved, defaults);
        self.types.insert(id.clone(), definition);
        Type::Ref(id)
    }

    /// The type of Kubernetes with this component name.
    pub(crate) fn core(&mut self, component: &'static str, describe: Describe) -> Type {
        self.core.insert(component, describe);
        Type::Core(component.to_owned())
    }

    /// The definitions, and how to describe the types of Kubernetes that were met.
    pub(crate) fn into_parts(self) -> (Types, BTreeMap<&'static str, Describe>) {
        (self.types, self.core)
    }
}

fn read(name: &str, definition: &str, types: &[Type], defaults: &[fn() -> Value]) -> TypeDef<Type> {
    let definition: TypeDef<usize> = serde_json::from_str(definition).unwrap_or_else(|error| {
        panic!("the definition of `{name}` cannot be read: {error}. kb-macros and kb-runtime must be of one version")
    });
    let resolved =
        definition.try_map(&mut |position: usize| types.get(position).cloned().ok_or(position));
    let mut resolved = resolved.unwrap_or_else(|position| {
        panic!("the definition of `{name}` has no type {position}. kb-macros and kb-runtime must be of one version")
    });
    for field in resolved.fields_mut() {
        if let Some(Absent::Expression(position)) = field.default {
            field.default = defaults.get(position).map(|value| Absent::Value(value()));
        }
    }
    resolved
}

/// What `schemars` makes of a type, without references.
pub(crate) fn describe(json_schema: Describe) -> Value {
    let settings = SchemaSettings::openapi3().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut generator = settings.into_generator();
    let mut schema = json_schema(&mut generator);
    for transform in generator.transforms_mut() {
        transform.transform(&mut schema);
    }
    schema.remove("title");
    schema.to_value()
}
