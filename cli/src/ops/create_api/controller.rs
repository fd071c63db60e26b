//! Plans a controller: its file, its test, its registration in `main`, its dependencies and its RBAC rules.

use std::collections::BTreeSet;

use heck::ToSnakeCase;
use kb_templates::{Templates, call, context};

use super::{
    Request,
    api::api_context,
    controller_names::ControllerNames,
    image,
    imports::Imports,
    owned::Owned,
    plural_names::PluralNames,
    rbac,
    reserved_names::{IMAGE_LOCALS, LOCALS, VARIABLES},
    target::{Origin, TargetKind},
};
use crate::{
    ops::KbSource,
    plan::{CargoEdit, DependencyTable, Edit, IfExists, Insertion, Plan, RelPath},
    project::{Image, Project},
};

/// Adds the controller to the plan, and returns its file.
pub(super) fn plan(
    request: &Request,
    target: &TargetKind,
    image: Option<&Image>,
    owned: &[Owned],
    project: &Project,
    project_context: &context::Project,
    plan: &mut Plan,
) -> RelPath {
    let names = ControllerNames::of_request(request, target);
    let path = target.layout().controller_path(&names.module);
    let context = controller_context(
        request,
        target,
        image,
        owned,
        project,
        project_context,
        &names,
    );
    let mut templates = Templates::default();
    let mut text = templates.render("api/src/controller/KIND.rs", &context);
    if context.image.is_some() {
        text += &templates.render("api/src/controller/IMAGE.rs", &context);
    }
    plan.create(names.file.clone(), text, IfExists::Conflict);
    plan_modules(target, &context, &names, &mut templates, plan);
    plan.insert(
        RelPath::new("src/main.rs"),
        Insertion::last("controllers", registration(project, &path)),
    );
    plan_dependencies(request, project, context.controller.status, plan);
    names.file
}

/// Plans its test and its parent modules.
fn plan_modules(
    target: &TargetKind,
    context: &context::Controller,
    names: &ControllerNames,
    templates: &mut Templates,
    plan: &mut Plan,
) {
    let layout = target.layout();
    let module = &names.module;
    let test = match &context.image {
        _ if !context.controller.status => "api/tests/FOREIGN.rs",
        Some(_) => "api/tests/IMAGE.rs",
        None => "api/tests/KIND.rs",
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

/// Returns whether the controller writes the status: only the first one of a kind that this project defines does.
fn writes_status(target: &TargetKind, project: &Project, names: &ControllerNames) -> bool {
    target.origin == Origin::Own && names.is_first(target, project)
}

/// Returns the line in `main` that registers it.
fn registration(project: &Project, path: &str) -> String {
    let function = format!("{}::controller::{path}::register", project.name.lib());
    call(4, &function, &["&manager"])
}

fn controller_context(
    request: &Request,
    target: &TargetKind,
    image: Option<&Image>,
    owned: &[Owned],
    project: &Project,
    project_context: &context::Project,
    names: &ControllerNames,
) -> context::Controller {
    let mut imports = match image {
        Some(_) => Imports::with_image(),
        None => Imports::default(),
    };
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
            let path = match image {
                // The template imports it together with other types.
                Some(_) => owned.kind.to_string(),
                None => imports.owned(&owned.import),
            };
            owned_context(owned, path, &mut variables)
        })
        .collect();
    let status = writes_status(target, project, names);
    let finalizer = request.finalizer;
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
            object: object(target, image, &owns),
            calls: calls(&owns, status, finalizer),
            finalizer: finalizer
                .then(|| format!("{}/{}", finalizer_domain(target, project), names.metric)),
            status,
        },
        test_path: test_path(target),
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
        rules: rbac::rules(target, owned, status, finalizer),
        owns,
        image: image.map(image::context),
        k8s_imports,
        own_imports,
    }
}

fn owned_context(owned: &Owned, path: String, variables: &mut BTreeSet<String>) -> context::Owned {
    let qualified = |name: &str| {
        if path == owned.kind.as_str() {
            name.to_owned()
        } else {
            format!("{name} of {}", owned.api_group)
        }
    };
    context::Owned {
        kind: owned.kind.to_string(),
        title: qualified(owned.kind.as_str()),
        kinds: qualified(&owned.plurals.prose),
        variable: variable(&owned.plurals.variable, &path, variables),
        function: path.to_snake_case(),
        path,
    }
}

/// Returns the path of the type in tests, which import its module.
fn test_path(target: &TargetKind) -> String {
    let module = target.module.rsplit("::").next().unwrap_or_default();
    format!("{module}::{}", target.kind)
}

/// Returns the calls that configure the controller.
fn calls(owns: &[context::Owned], status: bool, finalizer: bool) -> Vec<Vec<String>> {
    let owns = owns
        .iter()
        .map(|owned| vec!["owns(".to_owned(), format!("&context.{}", owned.variable)]);
    let finalizer =
        finalizer.then(|| vec!["finalizer(", "FINALIZER", "manager.objects()", "cleanup"]);
    let report = status.then(|| vec!["report_errors(", "manager.objects()"]);
    let fixed = finalizer.into_iter().chain(report);
    owns.chain(fixed.map(|call| call.into_iter().map(str::to_owned).collect()))
        .collect()
}

/// Returns the domain of the finalizer. The core group has none.
fn finalizer_domain<'a>(target: &'a TargetKind, project: &'a Project) -> &'a str {
    let domain = project.domain.as_ref();
    match target.api_group.as_str() {
        "" => domain.map_or(project.name.as_str(), |domain| domain.as_str()),
        group => group,
    }
}

/// Returns the variable of the reconciled object: the kind, unless that is long or in use.
fn object(target: &TargetKind, image: Option<&Image>, owns: &[context::Owned]) -> String {
    /// rustfmt would break more lines.
    const MAX: usize = 22;
    /// Rejected by clippy's `disallowed_names`.
    const PLACEHOLDERS: [&str; 3] = ["baz", "foo", "quux"];
    let name = target.kind.module();
    let is_used = PLACEHOLDERS.contains(&name.as_str())
        || LOCALS.contains(&name.as_str())
        || image.is_some() && IMAGE_LOCALS.contains(&name.as_str())
        || owns.iter().any(|owned| owned.variable == name);
    if is_used || name.len() > MAX {
        return "object".to_owned();
    }
    name
}

/// Returns whether tests need the CRDs of this project, and the types of other crates whose CRDs they need.
fn crds(target: &TargetKind, owned: &[Owned]) -> (bool, BTreeSet<String>) {
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

/// Returns the variable of a store: the plural of its kind, unless that name is in use.
fn variable(plural: &str, path: &str, used: &mut BTreeSet<String>) -> String {
    if !VARIABLES.contains(&plural) && used.insert(plural.to_owned()) {
        return plural.to_owned();
    }
    // `events_v1_events` for the alias `EventsV1Event`.
    let plural = format!("{}s", path.to_snake_case());
    if !VARIABLES.contains(&plural.as_str()) && used.insert(plural.clone()) {
        return plural;
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
