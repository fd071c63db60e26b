//! The initial types of a kind.
//!
//! A new version starts as a copy of the newest existing version, so that objects convert between them without loss until the user
//! changes one.

use kb_templates::context;

use super::target::TargetKind;
use crate::{
    ops::{BOILERPLATE, Header, ReadFile, layout::Layout},
    plan::RelPath,
    project::Project,
    source::VersionCopy,
};

/// The source of a kind's initial types.
#[derive(Debug)]
pub(super) enum TypeSource {
    /// The template: the kind is new.
    Template,
    /// The template, because this file of the newest version does not declare the kind.
    Undeclared(RelPath),
    /// A copy of this file, with the copied text.
    Copy(RelPath, String),
}

impl TypeSource {
    /// Returns a note for the user.
    pub(super) fn note(&self, target: &TargetKind) -> Option<String> {
        let TargetKind { kind, version, .. } = target;
        match self {
            Self::Template => None,
            Self::Copy(path, _) => Some(format!("{kind} {version} starts as a copy of {path}")),
            Self::Undeclared(path) => Some(format!(
                "{kind} {version} starts from the template: {path} does not declare {kind}"
            )),
        }
    }
}

/// Returns the initial types of the kind. `project` has the existing versions in the order in which they were created.
pub(super) fn find(
    target: &TargetKind,
    stored: bool,
    project: &Project,
    context: &context::Project,
    read: ReadFile<'_>,
) -> TypeSource {
    let before = project.resources.iter().take_while(|it| !target.is(it));
    let versions = before.filter(|it| it.api.is_some() && target.is_kind_of(it));
    let Some(newest) = versions.max_by(|one, other| one.version.cmp(&other.version)) else {
        return TypeSource::Template;
    };
    let layout = Layout::of(newest, project);
    let copy = VersionCopy {
        kind: &target.kind,
        version: &target.version,
        stored,
        from: &layout.api_modules(),
    };
    let path = layout.api_file();
    let text = read(&path).map(|text| text.replace("\r\n", "\n"));
    match text.and_then(|text| copy.of(&text)) {
        Some(text) => TypeSource::Copy(path, with_header(&text, context, read)),
        None => TypeSource::Undeclared(path),
    }
}

/// Replaces the current license header by that of `context`, which `edit` may be changing.
fn with_header(text: &str, context: &context::Project, read: ReadFile<'_>) -> String {
    let current = read(&RelPath::new(BOILERPLATE))
        .and_then(|text| Header::parse(BOILERPLATE, &text).ok())
        .unwrap_or_default();
    match text.strip_prefix(&current.prefix()) {
        Some(body) => format!("{}{body}", context.header),
        None => text.to_owned(),
    }
}
