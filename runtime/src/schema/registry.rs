//! Collects the definitions of all types that a type references.
//!
//! The macros emit a definition as JSON, with indexes in place of types, and functions that return those types: a string constant compiles
//! much faster than nested struct expressions. A definition is registered before its fields are resolved, so that recursive types terminate;
//! the CRD builder rejects them.

use std::collections::BTreeMap;

use kb_model::api::{Default as Absent, Type, TypeDef, TypeId, Types};
use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::Value;

/// The function [`Schema::schema_type`](super::Schema::schema_type) of a type.
pub type SchemaType = fn(&mut Registry) -> Type;

/// The function `JsonSchema::json_schema` of a type.
pub(crate) type Describe = fn(&mut SchemaGenerator) -> schemars::Schema;

/// Definitions of types.
#[derive(Debug, Default)]
pub struct Registry {
    types: Types,
    /// By name of the Rust type, which is not unique: types in functions can have the same name.
    known: BTreeMap<&'static str, Vec<(&'static str, TypeId)>>,
    core: BTreeMap<&'static str, Describe>,
}

impl Registry {
    /// Registers a definition and the types it references, and returns the reference to it.
    ///
    /// `definition` is a definition in JSON whose types are indexes into `types` and whose computed defaults are indexes into
    /// `defaults`. Called by generated code only.
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
        let definition = parse(name, definition, &resolved, defaults);
        self.types.insert(id.clone(), definition);
        Type::Ref(id)
    }

    /// Returns the Kubernetes type with this component name.
    pub(crate) fn core(&mut self, component: &'static str, describe: Describe) -> Type {
        self.core.insert(component, describe);
        Type::Core(component.to_owned())
    }

    /// Returns the definitions, and the schemas of the referenced Kubernetes types.
    pub(crate) fn into_parts(self) -> (Types, BTreeMap<&'static str, Describe>) {
        (self.types, self.core)
    }
}

fn parse(
    name: &str,
    definition: &str,
    types: &[Type],
    defaults: &[fn() -> Value],
) -> TypeDef<Type> {
    let definition: TypeDef<usize> = serde_json::from_str(definition).unwrap_or_else(|error| {
        panic!("failed to parse the definition of `{name}`: {error}. Use the same version of kb-macros and kb-runtime")
    });
    let resolved =
        definition.try_map(&mut |position: usize| types.get(position).cloned().ok_or(position));
    let mut resolved = resolved.unwrap_or_else(|position| {
        panic!("the definition of `{name}` has no type {position}. Use the same version of kb-macros and kb-runtime")
    });
    for field in resolved.fields_mut() {
        if let Some(Absent::Expression(position)) = field.default {
            field.default = defaults.get(position).map(|value| Absent::Value(value()));
        }
    }
    resolved
}

/// Generates the schema of a type with `schemars`, without references.
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
