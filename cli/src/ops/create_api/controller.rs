//! Plans a controller: its file, its test, its start in `main`, its dependencies and its permissions.

use std::collections::BTreeSet;

use heck::ToSnakeCase;
use kb_templates::{Templates, call, context};

use super::{
    Request,
    imports::Imports,
    owned::Owned,
    rbac,
    resource::api_context,
    target::{Origin, Target},
};
use crate::{
    ops::contexts,
    plan::{CargoEdit, DependencyTable, Edit, IfExists, Insertion, Plan, RelPath},
    project::Project,
};

/// Adds the controller to the plan; gives its file.
pub(super) fn plan(
    request: &Request,
    target: &Target,
    owned: &[Owned],
    project: &Project,
    project_context: &context::Project,
    plan: &mut Plan,
) -> RelPath {
    let layout = target.layout(project);
    let name = match &request.controller_name {
        Some(name) => name.module(),
        None => target.kind.module(),
    };
    let module = layout.controller_module(name);
    let file = layout.controller_file(&module);
    let path = layout.controller_path(&module);
    let context = controller_context(request, target, owned, project, project_context, &path);
    let mut templates = Templates::default();

    plan.create(
        file.clone(),
        templates.render("api/src/controller/KIND.rs", &context),
        IfExists::Conflict,
    );
    let test = match target.origin {
        Origin::Own => "api/tests/KIND.rs",
        Origin::Builtin | Origin::External => "api/tests/FOREIGN.rs",
    };
    plan.create(
        layout.test_file(&module),
        templates.render(test, &context),
        IfExists::Conflict,
    );

    let root = RelPath::new("src/controller/mod.rs");
    match (layout.controller_group(), layout.controller_group_file()) {
        (Some(group), Some(group_file)) => {
            plan.insert(
                root,
                Insertion::sorted("modules", format!("pub mod {group};")),
            );
            plan.ensure(group_file.clone(), || {
                templates.render("api/src/controller/GROUP/mod.rs", &context)
            });
            plan.insert(
                group_file,
                Insertion::sorted("modules", format!("pub mod {module};")),
            );
        }
        _ => plan.insert(
            root,
            Insertion::sorted("modules", format!("pub mod {module};")),
        ),
    }
    plan.insert(
        RelPath::new("src/main.rs"),
        Insertion::last("controllers", start(project, &path)),
    );
    plan_dependencies(request, target, plan);
    rbac::plan(target, owned, plan);
    file
}

/// The line in `main` that starts it.
fn start(project: &Project, path: &str) -> String {
    let function = format!("{}::controller::{path}::start", project.name.lib());
    if project.namespaced {
        call(8, &function, &["&context", "namespace", "&mut tasks"])
    } else {
        call(4, &function, &["&context", "&mut tasks"])
    }
}

fn controller_context(
    request: &Request,
    target: &Target,
    owned: &[Owned],
    project: &Project,
    project_context: &context::Project,
    path: &str,
) -> context::Controller {
    let mut imports = Imports::default();
    let type_path = imports.reconciled(&target.module, target.kind.as_str());
    let mut variables = BTreeSet::new();
    let owns = owned
        .iter()
        .map(|owned| {
            let path = imports.owned(&owned.import);
            context::Owned {
                a_kind: contexts::with_article(&owned.kind),
                variable: variable(&owned.plural, &path, &mut variables),
                path,
                instance: owned.instance.clone(),
                namespaced: owned.namespaced,
            }
        })
        .collect();
    let (k8s_imports, own_imports) = imports.split();
    let name = request
        .controller_name
        .as_ref()
        .map_or_else(|| target.kind.lower(), ToString::to_string);
    let name = match target.layout(project).controller_group() {
        Some(group) => format!("{}-{name}", group.trim_end_matches('_').replace('_', "-")),
        None => name,
    };
    context::Controller {
        project: project_context.clone(),
        api: context::Api {
            path: type_path,
            ..api_context(target, project)
        },
        controller: context::Wiring {
            name,
            module: path.to_owned(),
            parent: if project.multigroup && target.group.is_some() {
                "super::super"
            } else {
                "super"
            }
            .to_owned(),
            own: target.origin == Origin::Own,
        },
        owns,
        k8s_imports,
        own_imports,
    }
}

/// A variable for a client of an owned kind: its plural, unless the generated function has one of that name.
fn variable(plural: &str, path: &str, taken: &mut BTreeSet<String>) -> String {
    if !["metrics", "tasks"].contains(&plural) && taken.insert(plural.to_owned()) {
        return plural.to_owned();
    }
    format!("{}_api", path.to_snake_case())
}

fn plan_dependencies(request: &Request, target: &Target, plan: &mut Plan) {
    let mut add = |table, name: &str, value: &str| {
        plan.edit(
            RelPath::new("Cargo.toml"),
            Edit::Cargo(CargoEdit::Dependency {
                table,
                name: name.to_owned(),
                value: value.to_owned(),
            }),
        );
    };
    add(DependencyTable::Normal, "futures", "\"0.3\"");
    if target.origin == Origin::Own {
        add(DependencyTable::Normal, "serde_json", "\"1\"");
        add(DependencyTable::Dev, "http", "\"1\"");
        add(DependencyTable::Dev, "tower-test", "\"0.4\"");
    }
    if let Some(module) = &request.external.module {
        add(DependencyTable::Normal, &module.name, &module.toml);
    }
}
