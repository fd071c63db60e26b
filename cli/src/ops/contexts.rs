//! Template contexts of a project.

use kb_model::ProjectName;
use kb_templates::context;
use toml_edit::DocumentMut;

use super::license::Header;
use crate::project::Project;

/// The oldest Rust version that builds a scaffolded project, as kube 5 requires.
pub(super) const RUST_VERSION: &str = "1.89";

/// Returns the context of an existing project, from its record and its Cargo.toml.
pub(crate) fn project_context(
    project: &Project,
    header: &Header,
    manifest: Option<&str>,
) -> context::Project {
    let manifest: DocumentMut = manifest
        .and_then(|text| text.parse().ok())
        .unwrap_or_default();
    let shared = |key| {
        let value = manifest.get("workspace")?.get("package")?.get(key)?;
        value.as_str().map(ToOwned::to_owned)
    };
    context::Project {
        repo: shared("repository"),
        license: shared("license"),
        ..new_project_context(&project.name, project.namespaced, header)
    }
}

/// Returns the context of a new project.
pub(super) fn new_project_context(
    name: &ProjectName,
    namespaced: bool,
    header: &Header,
) -> context::Project {
    context::Project {
        name: name.to_string(),
        lib: name.lib(),
        api_package: name.api_package(),
        api_lib: name.api_lib(),
        namespace: name.namespace(),
        repo: None,
        license: None,
        owner: format!("The {name} authors"),
        header: header.prefix(),
        namespaced,
        rust_version: RUST_VERSION.to_owned(),
    }
}
