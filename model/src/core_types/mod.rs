//! Kubernetes' own types, as of Kubernetes 1.36: what a CRD has to say where it embeds one of them.
//!
//! `table.tsv` is data, made by the program `core-types` of the package `scaffold-tests` from Kubernetes' Go types, by
//! the rules of controller-gen: types, formats, required names, list and map types, and only those defaults and
//! bounds that the Go types declare. Descriptions are left out: an embedded `PodTemplateSpec` would be too large to apply.
//! Types are found by the name of their `OpenAPI` component, which is also the schema name in k8s-openapi.

mod expand;
mod rust_path;
mod table;
#[cfg(test)]
mod tests;
mod type_expression;

pub use expand::{RecursiveType, schema};
pub use rust_path::component;
pub use table::components;
