//! Plans a controller: its file, its test, its registration in `main`, its dependencies and its RBAC rules.

use std::collections::BTreeSet;

use heck::ToSnakeCase;
use kb_templates::{Templates, call, context};

use super::{
    Request,
    api::api_context,
    controller_names::ControllerNames,
    imports::Imports,
    owned::Owned,
    plural_names::PluralNames,
    rbac,
    target::{Origin, TargetKind},
};
use crate::{
    ops::KbSource,
    plan::{CargoEdit, DependencyTable, Edit, IfExists, Insertion, Plan, RelPath},
    project::Project,
};

/// Adds the controller to the plan, and returns its file.
pub(super) fn plan(
    request: &Request,
    target: &TargetKind,
    owned: &[Owned],
    project: &Project,
    project_context: &context::Project,
    plan: &mut Plan,
) -> RelPath {
    let names = ControllerNames::of_request(request, target);
    let path = target.layout().controller_path(&names.module);
    let context = controller_context(request, target, owned, project, project_context, &names);
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
    owned: &[Owned],
    project: &Project,
    project_context: &context::Project,
    names: &ControllerNames,
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
            let qualified = |name: &str| match path == owned.kind.as_str() {
                true => name.to_owned(),
                false => format!("{name} of {}", owned.api_group),
            };
            context::Owned {
                kind: owned.kind.to_string(),
                title: qualified(owned.kind.as_str()),
                kinds: qualified(&owned.plurals.prose),
                variable: variable(&owned.plurals.variable, &path, &mut variables),
                function: path.to_snake_case(),
                path,
            }
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
            object: object(target, &owns),
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
        k8s_imports,
        own_imports,
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
fn object(target: &TargetKind, owns: &[context::Owned]) -> String {
    /// rustfmt would break more lines.
    const MAX: usize = 22;
    /// Rejected by clippy's `disallowed_names`.
    const PLACEHOLDERS: [&str; 3] = ["baz", "foo", "quux"];
    let name = target.kind.module();
    let is_used = PLACEHOLDERS.contains(&name.as_str())
        || RESERVED_LOCALS.contains(&name.as_str())
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

/// Variables and fields that the controller template uses itself; a test compares them with the template. `store` replaces a long plural.
const RESERVED_VARIABLES: [&str; 5] = ["context", "controller", "manager", "objects", "store"];

/// Variables of the reconcile function in the template; a test compares them with it.
const RESERVED_LOCALS: [&str; 8] = [
    "applied",
    "cleanup",
    "context",
    "desired",
    "generation",
    "owner",
    "readiness",
    "status",
];

/// Returns the variable of a store: the plural of its kind, unless that name is in use.
fn variable(plural: &str, path: &str, used: &mut BTreeSet<String>) -> String {
    if !RESERVED_VARIABLES.contains(&plural) && used.insert(plural.to_owned()) {
        return plural.to_owned();
    }
    // `events_v1_events` for the alias `EventsV1Event`.
    let plural = format!("{}s", path.to_snake_case());
    if !RESERVED_VARIABLES.contains(&plural.as_str()) && used.insert(plural.clone()) {
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

#[cfg(test)]
mod tests {
    use proc_macro2::{TokenStream, TokenTree};
    use quote::ToTokens;
    use syn::Item;

    use super::{super::imports::RESERVED_TYPES, *};

    /// Renders a controller with a finalizer that owns a Deployment and writes the status of `AppService`.
    fn rendered() -> syn::File {
        let mut project = Project::new("demo".parse().unwrap());
        project.domain = Some("example.com".parse().unwrap());
        let mut request = Request::with_defaults("batch/v1/AppService".parse().unwrap());
        request.owns = vec!["apps/v1/Deployment".parse().unwrap()];
        request.finalizer = true;
        let context = crate::ops::project_context(&project, &crate::ops::Header::default(), None);
        let planned = super::super::plan(
            &request,
            &project,
            &context,
            None,
            &|_| None,
            Plan::default(),
        );
        assert_eq!(planned.problems, []);
        let path = RelPath::new("src/controller/app_service.rs");
        let plan = planned.update.proposal.plan;
        let files = plan.restricted_to(std::slice::from_ref(&path)).new_files();
        syn::parse_file(&files[&path]).unwrap()
    }

    /// Returns the tokens in order, without those of attributes.
    fn tokens(stream: TokenStream, found: &mut Vec<String>) {
        for token in stream {
            match token {
                TokenTree::Group(group) if found.last().is_some_and(|last| last == "#") => {
                    drop(group);
                    found.pop();
                }
                TokenTree::Group(group) => {
                    found.push("(".to_owned());
                    tokens(group.stream(), found);
                    found.push(")".to_owned());
                }
                other => found.push(other.to_string()),
            }
        }
    }

    fn flat(item: impl ToTokens) -> Vec<String> {
        let mut found = Vec::new();
        tokens(item.into_token_stream(), &mut found);
        found
    }

    #[test]
    fn reserved_types_are_those_of_the_template() {
        let tokens = flat(rendered());
        let mut used = BTreeSet::new();
        for (index, token) in tokens.iter().enumerate() {
            let is_in_path = index > 0 && tokens[index - 1] == ":" && tokens[index - 2] == ":";
            let is_import = tokens[..index]
                .iter()
                .rev()
                .find(|token| *token == ";" || *token == "use");
            let is_import = is_import.is_some_and(|token| token == "use");
            if token.starts_with(char::is_uppercase) && (!is_in_path || is_import) {
                used.insert(token.as_str());
            }
        }
        assert!(used.remove("AppService") && used.remove("Deployment"));
        // The template imports it if the controller neither owns anything nor writes a status.
        used.insert("Client");
        assert_eq!(used, BTreeSet::from(RESERVED_TYPES));
    }

    #[test]
    fn reserved_variables_are_those_of_the_template() {
        let mut used = BTreeSet::new();
        for item in rendered().items {
            let tokens = match item {
                Item::Struct(context) => flat(context),
                Item::Fn(function) if function.sig.ident == "register" => flat(function),
                _ => continue,
            };
            for three in tokens.windows(3) {
                if three[0] == "let" {
                    used.insert(three[1].clone());
                } else if three[1] == ":" && three[2] != ":" {
                    used.insert(three[0].clone());
                }
            }
        }
        used.remove(":");
        assert!(used.remove("app_services") && used.remove("deployments"));
        used.insert("store".to_owned());
        assert_eq!(used, RESERVED_VARIABLES.map(ToOwned::to_owned).into());
    }

    #[test]
    fn reserved_locals_are_those_of_the_template() {
        let mut used = BTreeSet::from(["cleanup".to_owned(), "context".to_owned()]);
        for item in rendered().items {
            if let Item::Fn(function) = item
                && function.sig.ident == "reconcile"
            {
                let tokens: Vec<String> = flat(function);
                let variables = tokens.windows(3).filter(|three| three[0] == "let");
                used.extend(variables.map(|three| {
                    let [_, name, next] = three else {
                        unreachable!()
                    };
                    if name == "mut" {
                        next.clone()
                    } else {
                        name.clone()
                    }
                }));
            }
        }
        assert_eq!(used, RESERVED_LOCALS.map(ToOwned::to_owned).into());
    }
}
