//! Plans an API type: its file, its modules in the API crate, its manifests.

use kb_templates::{Templates, context};

use super::{
    image,
    target::TargetKind,
    type_source::{self, TypeSource},
};
use crate::{
    ops::{ReadFile, layout, sample},
    plan::{CargoEdit, DependencyTable, Edit, IfExists, Insertion, Plan, RelPath},
    project::{Image, Project},
};

/// The files of the API crate that all kinds share.
pub(crate) const CRATE_FILES: [&str; 4] = [
    "api/Cargo.toml",
    "api/src/bin/crdgen.rs",
    "api/src/lib.rs",
    "api/tests/crds.rs",
];

/// Adds the type to the plan, and returns its source. `origins` is the project in which the versions were created.
pub(super) fn plan(
    target: &TargetKind,
    image: Option<&Image>,
    project: &Project,
    origins: &Project,
    project_context: &context::Project,
    read: ReadFile<'_>,
    plan: &mut Plan,
) -> TypeSource {
    let resource = context::Resource {
        project: project_context.clone(),
        api: api_context(target, project),
        image: image.map(image::context),
    };
    let mut templates = Templates::default();
    plan_crate(target, project, &resource, &mut templates, plan);
    let stored = resource.api.storage;
    let types = type_source::find(target, stored, origins, project_context, read);
    plan_modules(target, &resource, &types, &mut templates, plan);
    plan_manifests(target, image, &resource, &mut templates, plan);
    types
}

/// Returns the template context of the kind.
pub(super) fn api_context(target: &TargetKind, project: &Project) -> context::Api {
    // The first version is the storage version.
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

/// Plans the API crate, which the first kind creates, and the entry of the kind in it.
fn plan_crate(
    target: &TargetKind,
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

/// Plans the file of the kind and its parent modules.
fn plan_modules(
    target: &TargetKind,
    resource: &context::Resource,
    types: &TypeSource,
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
        TypeSource::Copy(_, text) => text.clone(),
        TypeSource::Template | TypeSource::Undeclared(_) => {
            templates.render("api/api/src/VERSION/KIND.rs", resource)
        }
    };
    plan.create(layout.api_file(), text, IfExists::Conflict);
}

/// Plans the kustomize entries, a sample, and the admin, editor and viewer roles.
fn plan_manifests(
    target: &TargetKind,
    image: Option<&Image>,
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
        // The first version is the storage version.
        is_later_version: !resource.api.storage,
    };
    let (project, fields) = (&resource.project.name, sample::scaffolded_fields(image));
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
        // All versions of a kind share one set of roles.
        plan.ensure(path, || {
            templates.render(&format!("api/config/rbac/KIND_{role}_role.yaml"), resource)
        });
    }
}
