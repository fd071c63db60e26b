//! Copies the source file of a kind for a new version.
//!
//! The copy differs in the version, the storage version, and in paths that begin with `super`, which would resolve to another module.
//! Everything else is unchanged, including helper types and comments.

use std::ops::Range;

use kb_model::{Kind, Version};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Parameters of a copy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VersionCopy<'a> {
    /// Kind.
    pub(crate) kind: &'a Kind,
    /// New version.
    pub(crate) version: &'a Version,
    /// Whether the new version is the storage version.
    pub(crate) stored: bool,
    /// Module path of the copied file in the API crate.
    pub(crate) from: &'a [String],
}

/// Arguments of `#[kb::resource]` that precede `storage`.
const BEFORE_STORAGE: [&str; 5] = ["group", "version", "kind", "plural", "scope"];

impl VersionCopy<'_> {
    /// Returns the copy of a file with this text; `None` if it does not declare the kind.
    pub(crate) fn of(&self, text: &str) -> Option<String> {
        let tokens: TokenStream = text.parse().ok()?;
        let mut edits = Edits::default();
        self.walk(tokens, 0, text, &mut edits);
        if !edits.has_kind {
            return None;
        }
        let mut copy = text.to_owned();
        edits.texts.sort_by_key(|(range, _)| range.start);
        for (range, text) in edits.texts.iter().rev() {
            copy.replace_range(range.clone(), text);
        }
        Some(copy)
    }

    /// Collects the edits in a token sequence nested in `depth` inline modules.
    fn walk(&self, tokens: TokenStream, depth: usize, text: &str, edits: &mut Edits) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut position = 0;
        while let Some(token) = tokens.get(position) {
            let rest = &tokens[position..];
            position += 1;
            match (token, rest) {
                (TokenTree::Ident(word), [_, TokenTree::Group(group), ..])
                    if word == "resource" && group.delimiter() == Delimiter::Parenthesis =>
                {
                    self.resource(group, text, edits);
                }
                (TokenTree::Ident(word), [_, TokenTree::Ident(_), TokenTree::Group(group), ..])
                    if word == "mod" =>
                {
                    self.walk(group.stream(), depth + 1, text, edits);
                    position += 2;
                }
                // `pub(super)` stays valid.
                (TokenTree::Ident(word), [_, TokenTree::Group(_), ..]) if word == "pub" => {
                    position += 1;
                }
                (TokenTree::Ident(word), _) if word == "super" => {
                    position += self.parents(rest, depth, edits);
                }
                (TokenTree::Group(group), _) => self.walk(group.stream(), depth, text, edits),
                _ => {}
            }
        }
    }

    /// Replaces leading `super`s by an absolute path. Returns the number of replaced tokens.
    fn parents(&self, path: &[TokenTree], depth: usize, edits: &mut Edits) -> usize {
        // `super`, `:`, `:`
        let is_super = |token: &&TokenTree| token.to_string() == "super";
        let supers = path.iter().step_by(3).take_while(is_super).count();
        let last = (supers - 1) * 3;
        if supers > depth {
            // The first `super` that leaves the file is the module of the version.
            let left = (self.from.len() + 1).saturating_sub(supers - depth);
            let modules = self.from[..left].iter().map(|module| format!("::{module}"));
            let absolute = format!("crate{}", modules.collect::<String>());
            edits.replace(
                bytes(path[0].span()).start..bytes(path[last].span()).end,
                absolute,
            );
        }
        last
    }

    /// Edits the arguments of the kind.
    fn resource(&self, group: &Group, text: &str, edits: &mut Edits) {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        let is_comma =
            |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == ',');
        let arguments: Vec<&[TokenTree]> = tokens.split(is_comma).collect();
        let find = |name: &str| {
            let is_named = |it: &&&[TokenTree]| it.first().is_some_and(|it| it.to_string() == name);
            arguments.iter().find(is_named).copied()
        };
        let kind = format!("\"{}\"", self.kind);
        let is_kind = find("kind")
            .and_then(<[_]>::last)
            .is_some_and(|it| it.to_string() == kind);
        let (true, Some(version)) = (is_kind, find("version").and_then(<[_]>::last)) else {
            return;
        };
        edits.has_kind = true;
        edits.replace(bytes(version.span()), format!("\"{}\"", self.version));
        if self.stored {
            return;
        }
        if let Some(storage) = find("storage").and_then(range) {
            edits.replace(storage, "storage = false".to_owned());
            return;
        }
        let ends = BEFORE_STORAGE.iter().filter_map(|name| range(find(name)?));
        if let Some(before) = ends.max_by_key(|range| range.end) {
            let line = text[..before.start].rsplit('\n').next().unwrap_or_default();
            let is_own_line = line.trim().is_empty();
            let space = if is_own_line {
                format!("\n{line}")
            } else {
                " ".to_owned()
            };
            edits.replace(before.end..before.end, format!(",{space}storage = false"));
        }
    }
}

#[derive(Default)]
struct Edits {
    texts: Vec<(Range<usize>, String)>,
    has_kind: bool,
}

impl Edits {
    fn replace(&mut self, range: Range<usize>, text: String) {
        self.texts.push((range, text));
    }
}

fn range(tokens: &[TokenTree]) -> Option<Range<usize>> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    Some(bytes(first.span()).start..bytes(last.span()).end)
}

fn bytes(span: proc_macro2::Span) -> Range<usize> {
    span.byte_range()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stored: bool, before: &str, after: Option<&str>) {
        let (kind, version) = ("Job".parse().unwrap(), "v2".parse().unwrap());
        let copy = VersionCopy {
            kind: &kind,
            version: &version,
            stored,
            from: &["batch".to_owned(), "v1".to_owned()],
        };
        assert_eq!(copy.of(before).as_deref(), after);
    }

    #[test]
    fn replaces_version_and_storage() {
        for (before, after) in [
            (
                "#[kb::resource(group = \"g\", version = \"v1\", kind = \"Job\")] struct S; // v1\n",
                "#[kb::resource(group = \"g\", version = \"v2\", kind = \"Job\", storage = false)] struct S; // v1\n",
            ),
            (
                "/// Ä.\n#[resource(\n    version = \"v1\",\n    kind = \"Job\",\n    scope = Cluster,\n    status = T,\n)]\nstruct S;\n",
                "/// Ä.\n#[resource(\n    version = \"v2\",\n    kind = \"Job\",\n    scope = Cluster,\n    storage = false,\n    status = T,\n)]\nstruct S;\n",
            ),
            (
                "#[kb::resource(version = \"v1\", kind = \"Job\", storage, status = T)] struct S;",
                "#[kb::resource(version = \"v2\", kind = \"Job\", storage = false, status = T)] struct S;",
            ),
            (
                "#[kb::resource(storage = true, version = \"v1\", kind = \"Job\")] struct S;",
                "#[kb::resource(storage = false, version = \"v2\", kind = \"Job\")] struct S;",
            ),
        ] {
            check(false, before, Some(after));
        }
        check(
            true,
            "#[kb::resource(version = \"v1\", kind = \"Job\")] struct S;",
            Some("#[kb::resource(version = \"v2\", kind = \"Job\")] struct S;"),
        );
    }

    #[test]
    fn requires_the_declaration_of_the_kind() {
        check(false, "", None);
        check(false, "struct {", None);
        check(
            false,
            "#[kb::resource(version = \"v1\", kind = \"Other\")] struct S;",
            None,
        );
    }

    #[test]
    fn paths_resolve_to_the_same_items() {
        let kind = "#[kb::resource(version = \"v1\", kind = \"Job\")]";
        let copied = "#[kb::resource(version = \"v2\", kind = \"Job\")]";
        for (before, after) in [
            ("use super::Other;", "use crate::batch::v1::Other;"),
            (
                "use super::super::v2::Other;",
                "use crate::batch::v2::Other;",
            ),
            ("use super::super::super::all;", "use crate::all;"),
            ("use crate::x::Other;", "use crate::x::Other;"),
            (
                "struct S { pub(super) a: Vec<super::A> }",
                "struct S { pub(super) a: Vec<crate::batch::v1::A> }",
            ),
            (
                "mod tests { use super::*; use super::super::A; }",
                "mod tests { use super::*; use crate::batch::v1::A; }",
            ),
        ] {
            check(
                true,
                &format!("{before}\n{kind} struct S;"),
                Some(&format!("{after}\n{copied} struct S;")),
            );
        }
    }
}
