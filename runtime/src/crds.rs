//! From definitions to `CustomResourceDefinition`s, for programs that install or test their own.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kb_model::{
    api::Resource,
    crd::{self, Crd, Options, Problem},
};
use serde_json::Value;

use crate::schema::{Describe, Registry, SchemaType};

/// A kind in one version, with all types that it leads to: what `Foo::definition()` gives.
///
/// Several versions of a kind are one CRD: [`crds()`] takes all definitions of an API and merges them.
#[derive(Clone, Debug)]
pub struct CrdDefinition {
    model: crd::Definition,
    /// How to describe the types of Kubernetes in it.
    core: BTreeMap<&'static str, Describe>,
}

impl CrdDefinition {
    /// What an attribute says, with the types at the positions that it names.
    pub(crate) fn read(resource: &str, types: &[SchemaType]) -> Self {
        let mut registry = Registry::default();
        let resource: Resource<usize> = serde_json::from_str(resource).unwrap_or_else(|error| {
            panic!("`{resource}` cannot be read: {error}. kb-macros and kb-runtime must be of one version")
        });
        let resource = resource.try_map(&mut |position: usize| {
            let schema_type = types.get(position).ok_or(position)?;
            Ok::<_, usize>(schema_type(&mut registry))
        });
        let resource = resource.unwrap_or_else(|position| {
            panic!("a kind has no type {position}. kb-macros and kb-runtime must be of one version")
        });
        let (types, core) = registry.into_parts();
        Self {
            model: crd::Definition { resource, types },
            core,
        }
    }

    /// The same as plain data.
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

/// The CRDs of these kinds, sorted by group and name; the versions of a kind become one CRD.
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
/// If the definitions are no valid CRDs, with all that is wrong: two storage versions, a type that contains itself, a marker that does
/// not fit its type. `kb-rs generate crd` says the same before anything is compiled.
pub fn crds(definitions: impl IntoIterator<Item = CrdDefinition>) -> Vec<CustomResourceDefinition> {
    let definitions: Vec<_> = definitions.into_iter().map(crd::Definition::from).collect();
    typed(&definitions)
}

/// The CRD of one definition.
pub(crate) fn one(definition: CrdDefinition) -> CustomResourceDefinition {
    let mut crds = typed(&[definition.into()]);
    crds.pop().expect("one definition is one CRD")
}

/// The schema of the one version of a definition.
pub(crate) fn open_api_schema(definition: CrdDefinition) -> Value {
    let mut crds = built(&[definition.into()]);
    let path = "/spec/versions/0/schema/openAPIV3Schema";
    let schema = crds
        .first_mut()
        .and_then(|crd| crd.document.pointer_mut(path));
    schema.map(Value::take).expect("a CRD has a schema")
}

fn typed(definitions: &[crd::Definition]) -> Vec<CustomResourceDefinition> {
    let typed = |crd: Crd| {
        let name = crd.name();
        serde_json::from_value(crd.document).unwrap_or_else(|error| {
            panic!("the CRD {name} is none that k8s-openapi knows: {error}")
        })
    };
    built(definitions).into_iter().map(typed).collect()
}

fn built(definitions: &[crd::Definition]) -> Vec<Crd> {
    crd::build(definitions, &Options::default())
        .unwrap_or_else(|problems| panic!("{}", lines(&problems)))
}

/// All problems, each with its help below it.
pub(crate) fn lines(problems: &[Problem]) -> String {
    let line = |problem: &Problem| match &problem.help {
        Some(help) => format!("{problem}\n  help: {help}"),
        None => problem.to_string(),
    };
    let lines: Vec<String> = problems.iter().map(line).collect();
    lines.join("\n")
}
