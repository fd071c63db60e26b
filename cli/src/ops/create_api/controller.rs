//! Plans a controller: its file, its test, its start in `main`, its dependencies and its permissions.

use std::collections::BTreeSet;

use heck::ToSnakeCase;
use kb_templates::{Templates, call, context};

use super::{
    Request,
    controllers::Names,
    imports::Imports,
    owned::Owned,
    plural_names::PluralNames,
    rbac,
    resource::api_context,
    target::{Origin, Target},
};
use crate::{
    ops::KbSource,
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
    let names = Names::of_request(request, target);
    let path = target.layout().controller_path(&names.module);
    let context = controller_context(target, owned, project, project_context, &names);
    let mut templates = Templates::default();
    plan.create(
        names.file.clone(),
        templates.render("api/src/controller/KIND.rs", &context),
        IfExists::Conflict,
    );
    plan_modules(target, &context, &names, &mut templates, plan);
    plan.insert(
        RelPath::new("src/main.rs"),
        Insertion::last("controllers", registration(project, &path)),
    );
    plan_dependencies(request, project, context.controller.status, plan);
    names.file
}

/// Its test, and the modules that lead to it.
fn plan_modules(
    target: &Target,
    context: &context::Controller,
    names: &Names,
    templates: &mut Templates,
    plan: &mut Plan,
) {
    let layout = target.layout();
    let module = &names.module;
    let test = if context.controller.status {
        "api/tests/KIND.rs"
    } else {
        "api/tests/FOREIGN.rs"
    };
    plan.create(
        layout.test_file(module),
        templates.render(test, context),
        IfExists::Conflict,
    );

    let root = RelPath::new("src/controller/mod.rs");
    let declaration = Insertion::sorted("modules", format!("pub mod {module};"));
    match (layout.controller_group(), layout.controller_group_file()) {
        (Some(group), Some(file)) => {
            plan.insert(
                root,
                Insertion::sorted("modules", format!("pub mod {group};")),
            );
            plan.ensure(file.clone(), || {
                templates.render("api/src/controller/GROUP/mod.rs", context)
            });
            plan.insert(file, declaration);
        }
        _ => plan.insert(root, declaration),
    }
}

/// Only types of the project's own have a status it knows, and only one controller of each writes it.
fn writes_status(target: &Target, project: &Project, names: &Names) -> bool {
    target.origin == Origin::Own && names.is_first(target, project)
}

/// Returns the line in `main` that registers it.
fn registration(project: &Project, path: &str) -> String {
    let function = format!("{}::controller::{path}::register", project.name.lib());
    call(4, &function, &["&manager"])
}

fn controller_context(
    target: &Target,
    owned: &[Owned],
    project: &Project,
    project_context: &context::Project,
    names: &Names,
) -> context::Controller {
    let mut imports = Imports::default();
    let type_path = imports.reconciled(&target.module, target.kind.as_str());
    let mut variables = BTreeSet::new();
    let plurals = PluralNames::new(&target.kind, &target.plural);
    let store = match variable(&plurals.variable, target.kind.as_str(), &mut variables) {
        // rustfmt would break `Controller::new(NAME, &variable)`.
        long if long.len() > 30 => "store".to_owned(),
        short => short,
    };
    let owns: Vec<context::Owned> = owned
        .iter()
        .map(|owned| {
            let path = imports.owned(&owned.import);
            context::Owned {
                kind: owned.kind.clone(),
                kinds: if path == owned.kind {
                    owned.plurals.prose.clone()
                } else {
                    format!("{} of {}", owned.plurals.prose, owned.api_group)
                },
                variable: variable(&owned.plurals.variable, &path, &mut variables),
                function: path.to_snake_case(),
                path,
            }
        })
        .collect();
    let status = writes_status(target, project, names);
    let (own_crds, external_crds) = crds(target, owned);
    let own_crds = own_crds.then(|| ["crds_from(", "\"config/crd\""].map(str::to_owned));
    let (k8s_imports, own_imports) = imports.split();
    context::Controller {
        project: project_context.clone(),
        api: context::Api {
            path: type_path,
            ..api_context(target, project)
        },
        controller: context::Wiring {
            name: names.metric.clone(),
            module: target.layout().controller_path(&names.module),
            variable: store,
            owns: owns
                .iter()
                .map(|owned| vec!["owns(".to_owned(), format!("&{}", owned.variable)])
                .collect(),
            status,
        },
        external_crds: !external_crds.is_empty(),
        crds: own_crds
            .into_iter()
            .chain(
                external_crds
                    .iter()
                    .map(|path| ["crds(".to_owned(), format!("[{path}::crd()]")]),
            )
            .map(Vec::from)
            .collect(),
        rules: rbac::rules(target, &plurals.prose, owned, status),
        owns,
        k8s_imports,
        own_imports,
    }
}

/// Whether the controller needs CRDs of the project's own, and the types of other crates whose CRDs it needs.
fn crds(target: &Target, owned: &[Owned]) -> (bool, BTreeSet<String>) {
    let reconciled = (target.origin, format!("{}::{}", target.module, target.kind));
    let owned = owned
        .iter()
        .map(|owned| (owned.origin, owned.import.path()));
    let all: Vec<_> = owned.chain([reconciled]).collect();
    let external = all.iter().filter(|(origin, _)| *origin == Origin::External);
    let external = external.map(|(_, path)| path.clone()).collect();
    (
        all.iter().any(|(origin, _)| *origin == Origin::Own),
        external,
    )
}

/// Returns the variable of a store: the plural of its kind, unless the generated code uses that name.
fn variable(plural: &str, path: &str, taken: &mut BTreeSet<String>) -> String {
    const RESERVED: [&str; 6] = [
        "context",
        "controller",
        "manager",
        "objects",
        "recorder",
        "store",
    ];
    if !RESERVED.contains(&plural) && taken.insert(plural.to_owned()) {
        return plural.to_owned();
    }
    format!("{}_store", path.to_snake_case())
}

fn plan_dependencies(request: &Request, project: &Project, status: bool, plan: &mut Plan) {
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
    let source = KbSource::recorded(project.kb_source.as_deref());
    add(DependencyTable::Dev, "kb-envtest", &source.envtest());
    if status {
        add(DependencyTable::Dev, "serde-saphyr", "\"2\"");
    }
    if let Some(module) = &request.external.module {
        add(DependencyTable::Normal, &module.name, &module.toml);
    }
}
