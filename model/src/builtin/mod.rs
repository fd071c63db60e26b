//! Kubernetes' own kinds, as of Kubernetes 1.36.
//!
//! `kinds.tsv` is data, made by the program `builtin-kinds` of the package `scaffold-tests` from the source of
//! k8s-openapi. It has what a controller can watch or own: objects with metadata, of which there is a list and a
//! watch; neither lists, nor subresources, nor reviews. `resources.tsv` has what a role can name: all of it.

mod lookup;
mod resources;
mod suggestion;
mod table;

pub use lookup::{find, find_type, is_builtin_group, is_cluster_scoped};
pub use resources::{BuiltinResource, resource_groups, resources};
pub use suggestion::suggestion;
pub use table::BuiltinKind;
