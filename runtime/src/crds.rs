//! Builds `CustomResourceDefinition`s, for programs that install or test their own CRDs.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kb_model::{
    api::Resource,
    crd::{self, Crd, Options, Problem},
};
use serde_json::Value;

use crate::schema::{Describe, Registry, SchemaType};

/// Definition of one version of a kind, with all types it references. Returned by `Foo::definition()`.
///
/// [`crds()`] merges all versions of a kind to one CRD.
#[derive(Clone, Debug)]
pub struct CrdDefinition {
    model: crd::Definition,
    /// Schemas of the referenced Kubernetes types, for their descriptions.
    core: BTreeMap<&'static str, Describe>,
}

impl CrdDefinition {
    /// Parses the definition emitted by the macros, whose types are indexes into `types`.
    pub(crate) fn parse(resource: &str, types: &[SchemaType]) -> Self {
        let mut registry = Registry::default();
        let resource: Resource<usize> = serde_json::from_str(resource).unwrap_or_else(|error| {
            panic!("failed to parse `{resource}`: {error}. Use the same version of kb-macros and kb-runtime")
        });
        let resource = resource.try_map(&mut |position: usize| {
            let schema_type = types.get(position).ok_or(position)?;
            Ok::<_, usize>(schema_type(&mut registry))
        });
        let resource = resource.unwrap_or_else(|position| {
            panic!("the definition has no type {position}. Use the same version of kb-macros and kb-runtime")
        });
        let (types, core) = registry.into_parts();
        Self {
            model: crd::Definition { resource, types },
            core,
        }
    }

    /// Returns the definition as plain data.
    pub fn model(&self) -> &crd::Definition {
        &self.model
    }

    pub(crate) fn core(&self) -> &BTreeMap<&'static str, Describe> {
        &self.core
    }
}

impl From<CrdDefinition> for crd::Definition {
    fn from(definition: CrdDefinition) -> Self {
        definition.model
    }
}

/// Returns the CRDs of these kinds, sorted by group and name. All versions of a kind are merged to one CRD.
///
/// ```
/// #[kb::resource(group = "example.com", version = "v1", kind = "Note")]
/// pub struct NoteSpec {
///     pub text: String,
/// }
///
/// let crds = kb::crds([Note::definition()]);
/// assert_eq!(crds[0].metadata.name.as_deref(), Some("notes.example.com"));
/// ```
///
/// # Panics
///
/// Panics with all problems if the definitions are invalid: two storage versions, a recursive type, or a marker that does not fit its type.
/// `kb-rs generate crd` reports the same problems without compiling.
pub fn crds(definitions: impl IntoIterator<Item = CrdDefinition>) -> Vec<CustomResourceDefinition> {
    let definitions: Vec<_> = definitions.into_iter().map(crd::Definition::from).collect();
    to_typed(&definitions)
}

/// Returns the CRD of one definition.
pub(crate) fn crd(definition: CrdDefinition) -> CustomResourceDefinition {
    let mut crds = to_typed(&[definition.into()]);
    crds.pop().expect("one definition is one CRD")
}

/// Returns the schema of a definition.
pub(crate) fn open_api_schema(definition: CrdDefinition) -> Value {
    let mut crds = build(&[definition.into()]);
    let path = "/spec/versions/0/schema/openAPIV3Schema";
    let schema = crds
        .first_mut()
        .and_then(|crd| crd.document.pointer_mut(path));
    schema.map(Value::take).expect("a CRD has a schema")
}

fn to_typed(definitions: &[crd::Definition]) -> Vec<CustomResourceDefinition> {
    let typed = |crd: Crd| {
        let name = crd.name();
        serde_json::from_value(crd.document).unwrap_or_else(|error| {
            panic!("failed to convert the CRD {name} to the type of k8s-openapi: {error}")
        })
    };
    build(definitions).into_iter().map(typed).collect()
}

fn build(definitions: &[crd::Definition]) -> Vec<Crd> {
    crd::build(definitions, &Options::default())
        .unwrap_or_else(|problems| panic!("{}", format_problems(&problems)))
}

/// Formats all problems, each followed by its help.
pub(crate) fn format_problems(problems: &[Problem]) -> String {
    let line = |problem: &Problem| match &problem.help {
        Some(help) => format!("{problem}\n  help: {help}"),
        None => problem.to_string(),
    };
    let lines: Vec<String> = problems.iter().map(line).collect();
    lines.join("\n")
}
