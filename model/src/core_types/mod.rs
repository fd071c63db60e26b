//! Kubernetes types, as of Kubernetes 1.36, for embedding in CRDs.
//!
//! `table.tsv` is generated from Kubernetes' Go types by the program `core-types` of the package `scaffold-tests`, with controller-gen's rules: types,
//! formats, required names, list and map types, and only those defaults and bounds that the Go types declare. Descriptions are omitted: with them an
//! embedded `PodTemplateSpec` is too large for `kubectl apply`. Types are identified by their `OpenAPI` component name, also used by k8s-openapi.

mod expand;
mod rust_path;
mod table;
#[cfg(test)]
mod tests;
mod type_expression;

pub use expand::{RecursiveType, schema};
pub use rust_path::component;
pub use table::components;
