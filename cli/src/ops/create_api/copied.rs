//! A new version of a kind begins as a copy of the newest version that the project has, so that objects survive the way from one version
//! to the other until the user says otherwise.

use kb_templates::context;

use super::{Texts, target::Target};
use crate::{
    ops::{BOILERPLATE, Header, layout::Layout},
    plan::RelPath,
    project::Project,
    source::Copy,
};

/// Where the types of a new version come from.
#[derive(Debug)]
pub(super) enum Types {
    /// The template: there is no other version.
    New,
    /// The template, because this file does not declare the kind.
    Undeclared(RelPath),
    /// A file.
    Copied(RelPath, String),
}

impl Types {
    /// What the user should know of them.
    pub(super) fn note(&self, target: &Target) -> Option<String> {
        let Target { kind, version, .. } = target;
        match self {
            Self::New => None,
            Self::Copied(path, _) => Some(format!("{kind} {version} starts as a copy of {path}")),
            Self::Undeclared(path) => Some(format!(
                "{kind} {version} starts from the template: {path} does not declare {kind}"
            )),
        }
    }
}

/// The types that the kind begins with. `project` has the versions that were there before, in their order.
pub(super) fn types(
    target: &Target,
    stored: bool,
    project: &Project,
    context: &context::Project,
    texts: Texts<'_>,
) -> Types {
    let before = project.resources.iter().take_while(|it| !target.is(it));
    let versions = before.filter(|it| it.api.is_some() && target.is_kind_of(it));
    let Some(newest) = versions.max_by(|one, other| one.version.cmp(&other.version)) else {
        return Types::New;
    };
    let layout = Layout::of(newest, project);
    let copy = Copy {
        kind: &target.kind,
        version: &target.version,
        stored,
        from: &layout.api_modules(),
    };
    let path = layout.api_file();
    let text = texts(&path).map(|text| text.replace("\r\n", "\n"));
    match text.and_then(|text| copy.of(&text)) {
        Some(text) => Types::Copied(path, with_header(&text, context, texts)),
        None => Types::Undeclared(path),
    }
}

/// The text with the header of `context`, which `edit` may be about to change, instead of the one that files have now.
fn with_header(text: &str, context: &context::Project, texts: Texts<'_>) -> String {
    let current = texts(&RelPath::new(BOILERPLATE))
        .and_then(|text| Header::parse(BOILERPLATE, &text).ok())
        .unwrap_or_default();
    match text.strip_prefix(&current.prefix()) {
        Some(body) => format!("{}{body}", context.header),
        None => text.to_owned(),
    }
}
