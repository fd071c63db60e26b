//! Plans the type of a kind: its file, its place in the API crate, its manifests.

use kb_templates::{Templates, context};

use super::{
    Texts,
    copied::{self, Types},
    target::Target,
};
use crate::{
    ops::{layout, sample},
    plan::{CargoEdit, DependencyTable, Edit, IfExists, Insertion, Plan, RelPath},
    project::Project,
};

/// The API crate's own files, which all kinds share.
pub(crate) const CRATE_FILES: [&str; 4] = [
    "api/Cargo.toml",
    "api/src/bin/crdgen.rs",
    "api/src/lib.rs",
    "api/tests/crds.rs",
];

/// Adds the type to the plan; gives where it comes from. `origins` is the project that the versions were created in.
pub(super) fn plan(
    target: &Target,
    project: &Project,
    origins: &Project,
    project_context: &context::Project,
    texts: Texts<'_>,
    plan: &mut Plan,
) -> Types {
    let resource = context::Resource {
        project: project_context.clone(),
        api: api_context(target, project),
    };
    let mut templates = Templates::default();
    plan_crate(target, project, &resource, &mut templates, plan);
    let stored = resource.api.storage;
    let types = copied::types(target, stored, origins, project_context, texts);
    plan_modules(target, &resource, &types, &mut templates, plan);
    plan_manifests(target, &resource, &mut templates, plan);
    types
}

/// What templates see of the kind.
pub(super) fn api_context(target: &Target, project: &Project) -> context::Api {
    // The version that was made first is the one that is stored.
    let stored = project
        .resources
        .iter()
        .find(|other| target.is_kind_of(other) && other.api.is_some());
    let last = target.module.rsplit("::").next().unwrap_or_default();
    context::Api {
        group: target.api_group.to_string(),
        version: target.version.to_string(),
        kind: target.kind.to_string(),
        plural: target.plural.to_string(),
        custom_plural: target.plural != target.kind.plural(),
        role_prefix: target.layout().role_prefix(),
        namespaced: target.namespaced,
        storage: stored.is_none_or(|stored| stored.version == target.version),
        protected: target.api_group.is_protected(),
        module: target.module.clone(),
        path: format!("{last}::{}", target.kind),
        sample: target.sample(),
    }
}

/// The API crate comes with the first kind.
fn plan_crate(
    target: &Target,
    project: &Project,
    resource: &context::Resource,
    templates: &mut Templates,
    plan: &mut Plan,
) {
    for file in CRATE_FILES {
        plan.ensure(RelPath::new(file), || {
            templates.render(&format!("api/{file}"), resource)
        });
    }
    let manifest = || RelPath::new("Cargo.toml");
    plan.edit(manifest(), Edit::Cargo(CargoEdit::Member("api".to_owned())));
    plan.edit(
        manifest(),
        Edit::Cargo(CargoEdit::Dependency {
            table: DependencyTable::Normal,
            name: project.name.api_package(),
            value: "{ path = \"api\" }".to_owned(),
        }),
    );
    let path = target.layout().version_path();
    plan.insert(
        RelPath::new("api/src/lib.rs"),
        Insertion::last("crds", format!("{path}::{}::definition(),", target.kind)),
    );
}

/// The file of the kind, and the modules that lead to it.
fn plan_modules(
    target: &Target,
    resource: &context::Resource,
    types: &Types,
    templates: &mut Templates,
    plan: &mut Plan,
) {
    let layout = target.layout();
    let root = RelPath::new("api/src/lib.rs");
    let modules = layout.api_modules();
    let (group_file, version_file) = layout.api_module_files();
    plan.insert(
        root,
        Insertion::sorted("modules", format!("pub mod {};", modules[0])),
    );
    if let Some(file) = group_file {
        plan.ensure(file.clone(), || {
            templates.render("api/api/src/GROUP/mod.rs", resource)
        });
        plan.insert(
            file,
            Insertion::sorted("versions", format!("pub mod {};", modules[1])),
        );
    }
    let module = layout.kind_module();
    plan.ensure(version_file.clone(), || {
        templates.render("api/api/src/VERSION/mod.rs", resource)
    });
    plan.insert(
        version_file.clone(),
        Insertion::sorted("kinds", format!("mod {module};")),
    );
    plan.insert(
        version_file,
        Insertion::sorted("exports", format!("pub use {module}::*;")),
    );
    let text = match types {
        Types::Copied(_, text) => text.clone(),
        Types::New | Types::Undeclared(_) => {
            templates.render("api/api/src/VERSION/KIND.rs", resource)
        }
    };
    plan.create(layout.api_file(), text, IfExists::Conflict);
}

/// The CRD's entry, a sample, and roles for people.
fn plan_manifests(
    target: &Target,
    resource: &context::Resource,
    templates: &mut Templates,
    plan: &mut Plan,
) {
    let layout = target.layout();
    let crds = RelPath::new("config/crd/kustomization.yaml");
    plan.ensure(crds.clone(), || {
        templates.render("api/config/crd/kustomization.yaml", resource)
    });
    plan.insert(
        crds,
        Insertion::last(
            "crds",
            format!("- bases/{}_{}.yaml", target.api_group, target.plural),
        ),
    );
    plan.insert(
        RelPath::new("config/default/kustomization.yaml"),
        Insertion::last("resources", "- ../crd"),
    );

    let name = target.sample();
    let samples = RelPath::new("config/samples/kustomization.yaml");
    plan.ensure(samples.clone(), || {
        templates.render("api/config/samples/kustomization.yaml", resource)
    });
    plan.insert(samples, Insertion::last("samples", format!("- {name}")));
    let object = sample::Object {
        group: &target.api_group,
        version: &target.version,
        kind: &target.kind,
        // The first version is the one that is stored.
        is_later_version: !resource.api.storage,
    };
    let (project, fields) = (&resource.project.name, sample::of_new_kind());
    plan.create(
        layout::sample_file(&name),
        sample::text(project, object, &fields, templates),
        IfExists::Conflict,
    );

    for role in ["admin", "editor", "viewer"] {
        let name = layout.role_name(role);
        let path = RelPath::new(format!("config/rbac/{name}"));
        plan.insert(
            RelPath::new("config/rbac/kustomization.yaml"),
            Insertion::last("roles", format!("- {name}")),
        );
        // One set of roles serves all versions of a kind.
        plan.ensure(path, || {
            templates.render(&format!("api/config/rbac/KIND_{role}_role.yaml"), resource)
        });
    }
}
