//! Maps problems of the schema builder to source locations.

use std::collections::HashMap;

use kb_markers::{FieldSpans, ItemSpans};
use kb_model::{
    api::TypeId,
    crd::{Definition, Problem},
};
use proc_macro2::Span;

use super::{
    Diagnostic,
    tree::{CrateId, FileId, ItemId, Tree},
};

/// Parsed sources with the spans of types, fields and markers.
pub(crate) struct SourceMap {
    tree: Tree,
    root: FileId,
    types: HashMap<TypeId, ItemId>,
    kinds: HashMap<String, ItemId>,
}

impl SourceMap {
    pub(super) fn new(
        tree: Tree,
        krate: CrateId,
        types: HashMap<TypeId, ItemId>,
        kinds: HashMap<String, ItemId>,
    ) -> Self {
        let root = tree.module(tree.crates[krate.0].root).file;
        Self {
            tree,
            root,
            types,
            kinds,
        }
    }

    /// Returns the diagnostic for a problem, located in the sources.
    pub(crate) fn locate(&self, problem: &Problem) -> Diagnostic {
        let location = &problem.location;
        let of_type = location.type_id.as_ref().and_then(|id| self.types.get(id));
        let of_kind = location.kind.as_ref().and_then(|kind| self.kinds.get(kind));
        let found = of_type.or(of_kind).and_then(|id| {
            let item = self.tree.item(*id);
            let object = item.content.object()?;
            let mark = location.mark.as_deref();
            let span = span_in(&object.spans, location.field.as_deref(), mark);
            Some((self.tree.module(item.module).file, span))
        });
        let message = match (&location.kind, location.path.as_str()) {
            (Some(kind), path) if !path.is_empty() => {
                format!("{} ({path} of {kind})", problem.message)
            }
            _ => problem.message.clone(),
        };
        if let Some((file, span)) = found {
            self.tree
                .diagnostic(file, span, message, problem.help.clone())
        } else {
            let path = &self.tree.files[self.root.0].path;
            Diagnostic::of_file(path, problem.to_string(), problem.help.clone())
        }
    }
}

/// Returns the span of the marker, else of the field, else of the item.
fn span_in(spans: &ItemSpans, field: Option<&str>, mark: Option<&str>) -> Span {
    let field: Option<&FieldSpans> =
        field.and_then(|name| spans.fields.iter().find(|field| field.name == name));
    let marks = field.map_or(&spans.marks, |field| &field.marks);
    let mark = mark.and_then(|mark| marks.iter().find(|(name, _)| name == mark));
    match (mark, field) {
        (Some((_, span)), _) => *span,
        (None, Some(field)) => field.field,
        (None, None) => spans.item,
    }
}

/// Returns the name of a kind in problems of the builder.
pub(super) fn kind_name(definition: &Definition) -> String {
    format!(
        "{} ({})",
        definition.resource.kind, definition.resource.version
    )
}
