//! What `create api` made for the kinds in a project's record: the plan of all those calls, made once more.
//!
//! `delete api` takes back what this plan has with a kind and lacks without it, and `edit` compares what it writes in two modes. The record
//! does not say what a controller owns: that is read off its file, and only for a file that is as it was made does it matter.

use kb_model::{Gvk, builtin};
use kb_templates::context;

use super::{
    External, Request, controller,
    controllers::Names,
    owned, resource,
    target::{self, Origin, Target},
};
use crate::{
    plan::{Plan, RelPath},
    problem::Problems,
    project::{Project, Resource},
};

/// What files say now.
pub(crate) type Texts<'a> = &'a dyn Fn(&RelPath) -> Option<String>;

/// Adds to `plan` what was made for every kind of `project`. `origins` also has the kinds that are about to be deleted: others may be
/// copies of them.
pub(crate) fn plan_recorded(
    project: &Project,
    origins: &Project,
    context: &context::Project,
    texts: Texts<'_>,
    plan: &mut Plan,
) {
    for recorded in &project.resources {
        for request in requests(recorded) {
            plan_request(request, project, origins, context, texts, plan);
        }
    }
}

fn plan_request(
    mut request: Request,
    project: &Project,
    origins: &Project,
    context: &context::Project,
    texts: Texts<'_>,
    plan: &mut Plan,
) {
    // A record that no command wrote has nothing that one made.
    let Some(mut target) = target::resolve(&request, project, &mut Problems::default()) else {
        return;
    };
    // Nobody but who edits PROJECT by hand can have two kinds in one file.
    if request.resource && !plan.creates(&target.layout().api_file()) {
        resource::plan(&target, project, origins, context, texts, plan);
    }
    if request.controller {
        let text = controller_text(&request, &mut target, texts);
        if plan.creates(&Names::of_request(&request, &target).file) {
            return;
        }
        request.owns = owned_in(&text.unwrap_or_default(), project);
        let owned = owned::resolve(&request, project, Some(&target), &mut Problems::default());
        controller::plan(&request, &target, &owned, project, context, plan);
    }
}

/// What the controller's file says. Of a kind that is not the project's, the record does not say whether it was made while groups were
/// kept apart: then the file is where it was made.
fn controller_text(request: &Request, target: &mut Target, texts: Texts<'_>) -> Option<String> {
    let text = texts(&Names::of_request(request, target).file);
    if text.is_some() || target.origin == Origin::Own {
        return text;
    }
    target.grouped = !target.grouped;
    let elsewhere = texts(&Names::of_request(request, target).file);
    if elsewhere.is_none() {
        target.grouped = !target.grouped;
    }
    elsewhere
}

/// The calls that lead to a record.
fn requests(recorded: &Resource) -> Vec<Request> {
    let call = |resource, controller, controller_name| Request {
        group: recorded.group.clone(),
        version: recorded.version.clone(),
        kind: recorded.kind.clone(),
        plural: recorded.plural.clone().filter(|_| resource),
        resource,
        controller,
        controller_name,
        namespaced: recorded.api.as_ref().map(|api| api.namespaced),
        owns: Vec::new(),
        external: External {
            path: None,
            domain: None,
            module: recorded
                .module
                .as_ref()
                .and_then(|module| module.parse().ok()),
        },
        force: false,
    };
    let unnamed = call(recorded.api.is_some(), recorded.controller, None);
    let named = recorded
        .controllers
        .iter()
        .map(|controller| call(false, true, Some(controller.name.clone())));
    Some(unnamed)
        .filter(|unnamed| unnamed.resource || unnamed.controller)
        .into_iter()
        .chain(named)
        .collect()
}

/// The kinds that a controller, as it was made, keeps stores of besides the one it reconciles: those it owns, in their order.
pub(crate) fn owned_in(text: &str, project: &Project) -> Vec<Gvk> {
    let imports: Vec<(&str, &str, &str)> = text.lines().filter_map(import).collect();
    let stores = text.lines().filter_map(|line| {
        let (_, path) = line.trim().strip_prefix("pub ")?.split_once(": Store<")?;
        path.strip_suffix(">,")
    });
    stores
        .filter_map(|name| {
            let (module, kind, _) = imports.iter().find(|(.., alias)| *alias == name)?;
            gvk(module, kind, project)
        })
        .collect()
}

/// The module, the type and the name it has in the file, of `use MODULE::TYPE as NAME;`.
fn import(line: &str) -> Option<(&str, &str, &str)> {
    let path = line.strip_prefix("use ")?.strip_suffix(';')?;
    let (path, alias) = path.split_once(" as ").unwrap_or((path, ""));
    let (module, name) = path.rsplit_once("::")?;
    Some((module, name, if alias.is_empty() { name } else { alias }))
}

fn gvk(module: &str, kind: &str, project: &Project) -> Option<Gvk> {
    if let Some(own) = project
        .resources
        .iter()
        .find(|own| own.kind.as_str() == kind && own.path.as_deref() == Some(module))
    {
        return Some(Gvk {
            group: own.group.clone(),
            version: own.version.clone(),
            kind: own.kind.clone(),
        });
    }
    let found = builtin::find_type(module, kind)?;
    Some(Gvk {
        group: found.group.parse().ok(),
        version: found.version.parse().ok()?,
        kind: found.kind.parse().ok()?,
    })
}
