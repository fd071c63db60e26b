//! Kinds of Kubernetes 1.36.
//!
//! `kinds.tsv` is generated from k8s-openapi by the program `builtin-kinds` of the package `scaffold-tests`. It lists what a controller can watch or own:
//! objects with metadata that can be listed and watched, without lists, subresources and reviews. `resources.tsv` lists everything a role can refer to.

mod lookup;
mod resources;
mod suggestion;
mod table;

pub use lookup::{find, find_type, is_builtin_group, is_cluster_scoped};
pub use resources::{BuiltinResource, resource_groups, resources};
pub use suggestion::suggestion;
pub use table::BuiltinKind;
